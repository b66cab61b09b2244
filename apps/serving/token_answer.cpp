#include "apps/serving/token_answer.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace ganglion::apps {

using runtime::generated_token;
using runtime::generation_event;

token_answer::token_answer(token_answer_form form)
    : form_(form),
      results_(form.sequences) {
  for (std::size_t i = 0; i < results_.size(); ++i)
    results_[i].sequence = i;
}

std::string token_answer::take(std::size_t sequence, generation_event event) {
  auto &result = results_[sequence];
  // What was held back to the end belongs to the last token, if there is one.
  if (!event.tokens.empty())
    event.tokens.back().text += std::exchange(event.text, {});
  if (!event.prompt.empty())
    result.prompt = std::move(event.prompt);
  if (event.ends_choice()) {
    result.finish = event.finish;
    result.guesses = event.guesses;
    result.prompt_tokens = event.prompt_tokens;
    result.timing = event.timing;
  }
  if (form_.stream)
    return take_stream(result, event);
  for (auto &token : event.tokens) {
    note(result, token);
    if (form_.keep_tokens)
      result.tokens.push_back(std::move(token));
  }
  result.text += event.text;
  return {};
}

void token_answer::note(generation_result &result,
                        const generated_token &token) {
  result.text += token.text;
  result.logprobs += token.logprob;
  ++result.generated_tokens;
}

std::string token_answer::take_stream(generation_result &result,
                                      const generation_event &event) {
  std::string pieces;
  for (const auto &token : event.tokens) {
    note(result, token);
    const bool last = event.ends_choice() && &token == &event.tokens.back();
    pieces += last ? last_piece(result, &token) : piece(result, token);
  }
  result.text += event.text;
  if (event.ends_choice() && event.tokens.empty())
    pieces += last_piece(result, nullptr);
  return pieces;
}

std::string token_answer::finish() {
  if (form_.stream)
    return {};
  std::ranges::stable_sort(results_, std::greater<>(),
                           &generation_result::mean_logprob);
  return whole(results_);
}

} // namespace ganglion::apps

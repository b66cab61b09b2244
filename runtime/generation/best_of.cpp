#include "runtime/generation/best_of.hpp"

#include <algorithm>
#include <limits>

namespace ganglion::runtime {

best_of::best_of(std::int32_t generated, std::int32_t told)
    : choices_(static_cast<std::size_t>(generated)),
      told_(static_cast<std::size_t>(told)) {}

double best_of::held_choice::mean() const {
  return event.tokens.empty()
             ? -std::numeric_limits<double>::infinity()
             : logprobs / static_cast<double>(event.tokens.size());
}

std::vector<generation_event> best_of::take(generation_event event) {
  held_choice &choice = choices_[static_cast<std::size_t>(event.choice)];
  std::vector<generated_token> tokens = std::move(choice.event.tokens);
  for (auto &token : event.tokens) {
    choice.logprobs += static_cast<double>(token.logprob);
    tokens.push_back(std::move(token));
  }
  std::vector<generated_token> prompt = std::move(choice.event.prompt);
  if (!event.prompt.empty())
    prompt = std::move(event.prompt);
  choice.event = std::move(event);
  choice.event.tokens = std::move(tokens);
  choice.event.prompt = std::move(prompt);
  if (!choice.event.ends_choice() || ++ended_ < choices_.size())
    return {};
  return best();
}

std::vector<generation_event> best_of::best() {
  // What concerns the prompt came with the first choice.
  auto prompt = std::move(choices_[0].event.prompt);
  std::stable_sort(choices_.begin(), choices_.end(),
                   [](const held_choice &a, const held_choice &b) {
                     return a.mean() > b.mean();
                   });
  choices_.resize(told_);
  choices_[0].event.prompt = std::move(prompt);
  std::vector<generation_event> out;
  for (std::size_t i = 0; i < told_; ++i) {
    generation_event event = std::move(choices_[i].event);
    event.choice = static_cast<std::int32_t>(i);
    event.open_choices = static_cast<std::int32_t>(told_ - i - 1);
    out.push_back(std::move(event));
  }
  return out;
}

} // namespace ganglion::runtime

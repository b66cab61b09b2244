#include "apps/openai/completion_answer.hpp"

namespace ganglion::apps {

choice_piece completion_answer::opening(std::size_t sequence) const {
  choice_piece out;
  out.index = sequence;
  if (!prompts_.empty())
    out.text = prompts_[sequence / call().tries()];
  return out;
}

void completion_answer::write_choice(json::writer &out,
                                     const choice_piece &piece) const {
  out.key("text").string(piece.text);
  out.key("logprobs");
  const bool any = !piece.tokens.empty() || !piece.prompt.empty();
  if (call().wants_logprobs() && (any || !streams()))
    write_completion_logprobs(out, piece, tokens_);
  else
    out.null();
}

} // namespace ganglion::apps

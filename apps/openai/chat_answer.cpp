#include "apps/openai/chat_answer.hpp"

namespace ganglion::apps {

namespace {

/// What a chunk adds: the role comes once, and nothing with the end.
void write_delta(json::writer &out, const choice_piece &piece) {
  out.key("delta").begin_object();
  if (piece.first)
    out.key("role").string("assistant");
  if (piece.first || !piece.text.empty())
    out.key("content").string(piece.text);
  out.end_object();
}

void write_message(json::writer &out, const choice_piece &piece) {
  out.key("message").begin_object();
  out.key("role").string("assistant");
  out.key("content").string(piece.text);
  out.key("refusal").null();
  out.end_object();
}

} // namespace

choice_piece chat_answer::opening(std::size_t sequence) const {
  choice_piece out;
  out.index = sequence;
  return out;
}

void chat_answer::write_choice(json::writer &out,
                               const choice_piece &piece) const {
  streams() ? write_delta(out, piece) : write_message(out, piece);
  out.key("logprobs");
  if (call().wants_logprobs() && (!streams() || !piece.tokens.empty()))
    write_chat_logprobs(out, piece, tokens_);
  else
    out.null();
}

} // namespace ganglion::apps

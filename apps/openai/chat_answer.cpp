#include "apps/openai/chat_answer.hpp"

namespace ganglion::apps {

namespace {

/// What a chunk adds: the role comes once, and nothing with the end.
void write_delta(json::writer &out, const choice_piece &piece) {
  out.key("delta").begin_object();
  if (piece.first)
    out.key("role").string("assistant");
  if (!piece.calls.empty())
    write_calls(out, piece.calls, true);
  if (!piece.text.empty() || (piece.first && piece.calls.empty()))
    out.key("content").string(piece.text);
  out.end_object();
}

void write_message(json::writer &out, const choice_piece &piece) {
  out.key("message").begin_object();
  out.key("role").string("assistant");
  if (piece.text.empty() && !piece.calls.empty())
    out.key("content").null();
  else
    out.key("content").string(piece.text);
  out.key("refusal").null();
  if (!piece.calls.empty())
    write_calls(out, piece.calls, false);
  out.end_object();
}

} // namespace

chat_answer::chat_answer(openai_call asked, answer_names names,
                         std::shared_ptr<const runtime::tokenizer> tokens)
    : openai_answer(std::move(asked), names),
      tokens_(call().logprobs ? tokens : nullptr) {
  if (call().tools.active())
    for (std::size_t i = 0; i < call().tries(); ++i)
      texts_.emplace_back(call().tools, tokens, names.id, i);
}

void chat_answer::add_token(std::size_t sequence,
                            const runtime::generated_token &token,
                            choice_piece &piece) {
  if (texts_.empty())
    return openai_answer::add_token(sequence, token, piece);
  texts_[sequence].add(token, piece.text, piece.calls);
  piece.called = texts_[sequence].has_calls();
}

void chat_answer::add_end(std::size_t sequence, std::string_view text,
                          choice_piece &piece) {
  if (texts_.empty())
    return openai_answer::add_end(sequence, text, piece);
  texts_[sequence].end(text, piece.text, piece.calls);
  piece.called = texts_[sequence].has_calls();
}

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

// Log-probabilities as OpenAI's two routes write them.
#pragma once

#include "apps/openai/openai_answer.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <memory>
#include <string>

namespace ganglion::apps {

/// What a token is called in lists: its text by itself, bytes that are no text
/// as U+FFFD.
class token_names {
public:
  /// `tokens` may be null: then tokens are called by what they added to the
  /// text.
  explicit token_names(std::shared_ptr<const runtime::tokenizer> tokens)
      : tokens_(std::move(tokens)) {}

  std::string of(const runtime::generated_token &token) const;
  /// Of a prompt, whose tokens put together are its text.
  std::string in_prompt(const runtime::generated_token &token) const;

private:
  std::shared_ptr<const runtime::tokenizer> tokens_;
};

/// {"content": [{"token", "logprob", "bytes", "top_logprobs"}], "refusal"}.
void write_chat_logprobs(json::writer &out, const choice_piece &piece,
                         const token_names &names);

/// {"tokens", "token_logprobs", "top_logprobs", "text_offset"}; offsets are in
/// characters, from `piece.offset` on.
void write_completion_logprobs(json::writer &out, const choice_piece &piece,
                               const token_names &names);

/// Characters of UTF-8 text.
std::size_t characters_of(std::string_view text);

} // namespace ganglion::apps

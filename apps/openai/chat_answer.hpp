// The answer of /v1/chat/completions.
#pragma once

#include "apps/openai/logprob_text.hpp"
#include "apps/openai/openai_answer.hpp"

namespace ganglion::apps {

class chat_answer final : public openai_answer {
public:
  chat_answer(openai_call call, answer_names names, token_names tokens)
      : openai_answer(std::move(call), std::move(names)),
        tokens_(std::move(tokens)) {}

private:
  std::string_view object_name() const override {
    return streams() ? "chat.completion.chunk" : "chat.completion";
  }
  void write_choice(json::writer &out,
                    const choice_piece &piece) const override;
  choice_piece opening(std::size_t sequence) const override;

  token_names tokens_;
};

} // namespace ganglion::apps

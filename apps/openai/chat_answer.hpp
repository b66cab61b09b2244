// The answer of /v1/chat/completions.
#pragma once

#include "apps/openai/logprob_text.hpp"
#include "apps/openai/openai_answer.hpp"

namespace ganglion::apps {

class chat_answer final : public openai_answer {
public:
  /// `tokens` may be null.
  chat_answer(openai_call call, answer_names names,
              std::shared_ptr<const runtime::tokenizer> tokens);

private:
  std::string_view object_name() const override {
    return streams() ? "chat.completion.chunk" : "chat.completion";
  }
  void write_choice(json::writer &out,
                    const choice_piece &piece) const override;
  choice_piece opening(std::size_t sequence) const override;
  void add_token(std::size_t sequence, const runtime::generated_token &token,
                 choice_piece &piece) override;
  void add_end(std::size_t sequence, std::string_view text,
               choice_piece &piece) override;

  token_names tokens_;
  std::vector<call_text> texts_; ///< of each sequence, if there are tools
};

} // namespace ganglion::apps

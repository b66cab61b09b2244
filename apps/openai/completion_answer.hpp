// The answer of /v1/completions.
#pragma once

#include "apps/openai/logprob_text.hpp"
#include "apps/openai/openai_answer.hpp"

namespace ganglion::apps {

class completion_answer final : public openai_answer {
public:
  /// `prompts`: the text of each prompt, for a call that echoes; else empty.
  completion_answer(openai_call call, answer_names names, token_names tokens,
                    std::vector<std::string> prompts)
      : openai_answer(std::move(call), std::move(names)),
        tokens_(std::move(tokens)),
        prompts_(std::move(prompts)) {}

private:
  std::string_view object_name() const override { return "text_completion"; }
  void write_choice(json::writer &out,
                    const choice_piece &piece) const override;
  choice_piece opening(std::size_t sequence) const override;

  token_names tokens_;
  std::vector<std::string> prompts_;
};

} // namespace ganglion::apps

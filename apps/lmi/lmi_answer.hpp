// The answer to an invocation of the LMI contract: a JSON object, or a line
// for each token.
#pragma once

#include "apps/lmi/lmi_error.hpp"
#include "apps/lmi/response_text.hpp"
#include "apps/serving/token_answer.hpp"

namespace ganglion::apps {

class lmi_answer final : public token_answer {
public:
  lmi_answer(std::string model, std::string request_id, invocation call)
      : token_answer({.stream = call.stream,
                      .keep_tokens = call.details,
                      .sequences = static_cast<std::size_t>(call.request.n)}),
        model_(std::move(model)),
        request_id_(std::move(request_id)),
        call_(std::move(call)) {}

  /// Of the one request, whose choices are the answer's sequences.
  std::string take(std::size_t, runtime::generation_event event) override {
    const auto choice = static_cast<std::size_t>(event.choice);
    return token_answer::take(choice, std::move(event));
  }
  http_response head() const override;
  http_response refusal(const request_failure &failure) const override;
  std::string broken_off(const request_failure &failure) const override {
    return failure_line(failure);
  }

private:
  std::string piece(const generation_result &,
                    const runtime::generated_token &token) const override {
    return token_line(call_, token);
  }
  std::string last_piece(const generation_result &result,
                         const runtime::generated_token *token) const override {
    return last_line(call_, result, token);
  }
  std::string whole(std::span<const generation_result> results) const override {
    return whole_answer(call_, results);
  }
  void add_headers(http_response &response) const;

  std::string model_, request_id_;
  invocation call_;
};

} // namespace ganglion::apps

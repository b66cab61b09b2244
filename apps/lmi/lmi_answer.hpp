// The answer to an invocation of the LMI contract: a JSON object, or a line
// for each token.
#pragma once

#include "apps/lmi/lmi_error.hpp"
#include "apps/lmi/response_text.hpp"
#include "apps/serving/generation_answer.hpp"

namespace ganglion::apps {

class lmi_answer final : public generation_answer {
public:
  lmi_answer(std::string model, std::string request_id, invocation call)
      : model_(std::move(model)),
        request_id_(std::move(request_id)),
        call_(std::move(call)) {}

  http_response head() const override;
  bool streams() const override { return call_.stream; }
  std::string take(std::size_t sequence,
                   runtime::generation_event event) override;
  std::string finish() override;
  http_response refusal(const request_failure &failure) const override;
  std::string broken_off(const request_failure &failure) const override {
    return failure_line(failure);
  }

private:
  void add_headers(http_response &response) const;
  std::string take_tokens(runtime::generation_event &event);
  std::string take_last(runtime::generation_event &event);

  std::string model_, request_id_;
  invocation call_;
  generation_result result_;
};

} // namespace ganglion::apps

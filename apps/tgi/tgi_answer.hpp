// The answer to a request of the TGI routes: an object, a list of one, or an
// event for each token.
#pragma once

#include "apps/serving/token_answer.hpp"
#include "apps/tgi/tgi_error.hpp"
#include "apps/tgi/tgi_text.hpp"

namespace ganglion::apps {

class tgi_answer final : public token_answer {
public:
  explicit tgi_answer(tgi_call call)
      : token_answer({.stream = call.stream,
                      .keep_tokens = call.details,
                      .sequences = static_cast<std::size_t>(call.best_of)}),
        call_(std::move(call)) {}

  http_response head() const override;
  http_response refusal(const request_failure &failure) const override;
  std::string broken_off(const request_failure &failure) const override {
    return tgi_error_event(failure);
  }

private:
  void add_timings(http_response &response) const;
  std::string piece(const generation_result &result,
                    const runtime::generated_token &token) const override;
  std::string last_piece(const generation_result &result,
                         const runtime::generated_token *token) const override;
  std::string whole(std::span<const generation_result> results) const override;

  tgi_call call_;
};

} // namespace ganglion::apps

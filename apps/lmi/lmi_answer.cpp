#include "apps/lmi/lmi_answer.hpp"

#include "apps/serving/ignored_names.hpp"

namespace ganglion::apps {

void lmi_answer::add_headers(http_response &response) const {
  response.headers.push_back({"requestId", request_id_});
  tell_ignored(response, call_.ignored);
}

http_response lmi_answer::head() const {
  http_response out;
  add_headers(out);
  if (call_.stream)
    out.content_type = "application/jsonlines";
  return out;
}

http_response lmi_answer::refusal(const request_failure &failure) const {
  auto out = failure_response(failure, model_);
  add_headers(out);
  return out;
}

} // namespace ganglion::apps

#include "apps/lmi/lmi_error.hpp"

#include "apps/http/response_writer.hpp"
#include "apps/serving/retry_after.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

constexpr unsigned payload_status = 424;

std::string describe(const request_failure &failure) {
  return (failure.field.empty() ? "" : failure.field + ": ") + failure.message;
}

/// The contract's compact form, with the field at fault beside the text.
std::string object(unsigned status, const request_failure &failure,
                   const std::string &text) {
  std::string out = "{\"code\":" + std::to_string(status) +
                    ",\"error\":" + json::quote(text) +
                    ",\"type\":" + json::quote(to_string(failure.code));
  if (!failure.field.empty())
    out += ",\"field\":" + json::quote(failure.field);
  return out + "}";
}

} // namespace

http_response failure_response(const request_failure &failure,
                               const std::string &model) {
  const auto &[status, type] = row_of(failure.code).lmi;
  http_response out;
  if (status == payload_status) {
    out.status = status;
    out.body = object(status, failure,
                      "Input Parsing failed. Ensure that the request payload "
                      "is valid. " +
                          describe(failure));
    return out;
  }
  const bool full = failure.code == error_code::overloaded;
  out =
      error_response(status, type,
                     full ? "Worker queue capacity exceeded for model: " + model
                          : describe(failure));
  tell_retry(out, failure.code);
  return out;
}

std::string failure_line(const request_failure &failure) {
  return object(row_of(failure.code).lmi.status, failure, describe(failure)) +
         "\n";
}

} // namespace ganglion::apps

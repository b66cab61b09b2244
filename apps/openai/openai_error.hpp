// Errors as OpenAI's clients know them.
#pragma once

#include "apps/openai/openai_call.hpp"
#include "apps/serving/guarded_handler.hpp"

#include <string>

namespace ganglion::apps {

/// {"error": {"message", "type", "param", "code"}}. Fields that have other
/// names inside are named as on `route`.
http_response openai_refusal(const request_failure &failure,
                             openai_route route);

/// The same object as the last event of a stream.
std::string openai_error_event(const request_failure &failure,
                               openai_route route);

/// A handler of `route` whose errors are told in this form.
http_handler openai_guarded(openai_route route, http_handler handle);

/// Of an error that is not about a request's fields.
http_response openai_refusal(unsigned status, std::string_view message);

/// Throws `not_found` unless `asked` is empty or `model`, the one there is.
/// HuggingFace's clients call the model of an endpoint "tgi" or "dummy", or by
/// its URL.
void check_openai_model(const std::string &asked, const std::string &model);

} // namespace ganglion::apps

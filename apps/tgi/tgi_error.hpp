// Errors as TGI's clients know them: {"error", "error_type"}.
#pragma once

#include "apps/serving/guarded_handler.hpp"

#include <string>

namespace ganglion::apps {

http_response tgi_refusal(const request_failure &failure);

/// The same object as the last event of a stream.
std::string tgi_error_event(const request_failure &failure);

} // namespace ganglion::apps

// Errors of requests as the LMI contract words them.
#pragma once

#include "apps/http/message.hpp"
#include "apps/serving/request_failure.hpp"

#include <string>

namespace ganglion::apps {

/// The response before anything of a body has been sent. `model` is the name
/// in messages about the model's queue.
http_response failure_response(const request_failure &failure,
                               const std::string &model);

/// The line that ends a stream that has begun: {"code", "error", ...}.
std::string failure_line(const request_failure &failure);

} // namespace ganglion::apps

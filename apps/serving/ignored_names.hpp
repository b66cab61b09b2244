// Names in a request that mean nothing to this build: passed over, but told.
#pragma once

#include "apps/http/message.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

/// Adds X-Ganglion-Ignored-Parameters to `response` if there are any `names`.
void tell_ignored(http_response &response,
                  const std::vector<std::string> &names);
/// A warning in the log, with the request's name.
void log_ignored(const std::string &request_id,
                 const std::vector<std::string> &names);
/// Throws `invalid_argument` naming all of them, if there are any: for a
/// server that is strict.
void refuse_ignored(const std::vector<std::string> &names);

} // namespace ganglion::apps

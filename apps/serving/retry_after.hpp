// Tells clients when a request that was turned away is worth another try.
#pragma once

#include "apps/error_table.hpp"
#include "apps/http/message.hpp"

namespace ganglion::apps {

/// Adds Retry-After to the response to a failure that may pass by itself.
inline void tell_retry(http_response &response, error_code code) {
  if (row_of(code).retry)
    response.headers.push_back({"Retry-After", "1"});
}

} // namespace ganglion::apps

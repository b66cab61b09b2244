// What is told of a request once it is over.
#pragma once

#include "hlo/support/clock.hpp"

#include <functional>
#include <string>

namespace ganglion::apps {

struct http_record {
  std::string id, method, path;
  unsigned status = 0;   ///< 0: nothing was sent
  bool complete = false; ///< else the client was given up
  duration took{};
  /// What the handler noted: members of a JSON object, without braces.
  std::string notes;
};

/// Called on the server's thread, once for each request.
using http_observer = std::function<void(const http_record &)>;

} // namespace ganglion::apps

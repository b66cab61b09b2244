// Which other sites' pages may ask (CORS): the headers that tell browsers.
#pragma once

#include "apps/http/message.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

struct cross_origin_policy {
  std::vector<std::string> origins; ///< "https://a.example" or "*"; none: none
  std::string methods = "GET, POST, OPTIONS";
  std::string headers = {}; ///< empty: whatever a page asks for
};

/// What every response to `request` has besides.
std::vector<http_header> cross_origin_headers(const cross_origin_policy &policy,
                                              const http_request &request);

} // namespace ganglion::apps

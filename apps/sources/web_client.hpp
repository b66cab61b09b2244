// HTTP requests to where models come from: the only file that knows libcurl.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace ganglion::apps {

struct web_request {
  std::string url;
  std::map<std::string, std::string> headers = {};
  bool follow_redirects = true;
};

struct web_response {
  long status = 0;
  /// Empty, or why the exchange ended before the response was complete.
  std::string broken = {};
};

/// Takes a piece of the body of a response of `status`; false ends the
/// exchange.
using body_sink = std::function<bool(long status, std::string_view piece)>;

/// Keeps its connections. One thread at a time.
class web_client {
public:
  web_client();
  ~web_client();
  web_client(const web_client &) = delete;
  web_client &operator=(const web_client &) = delete;

  /// GETs. Gives up on a server that cannot be reached within 30 s or is
  /// silent for 60. An Authorization header does not follow to another host.
  web_response get(const web_request &request, const body_sink &sink);

private:
  class implementation;
  std::unique_ptr<implementation> self_;
};

/// The body of a small document, with another try where that may help. Throws
/// `unavailable`, `not_found` for 404 and `invalid_argument` for 401 and 403,
/// naming `what` and the status.
std::string fetch_document(web_client &client, const web_request &request,
                           const std::string &what);

/// Whether a later try may succeed where this one did not.
bool is_transient(const web_response &response);

/// Throws for a response that is no success, as `fetch_document` does.
void refuse_failure(const web_response &response, const std::string &what);

} // namespace ganglion::apps

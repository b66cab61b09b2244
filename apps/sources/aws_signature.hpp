// Signs requests to S3 (Signature Version 4, in the Authorization header).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ganglion::apps {

struct aws_credentials {
  std::string access_key, secret_key;
  std::string session_token = {}; ///< empty: none
};

/// What is signed. `path` and `query` are percent-encoded, the latter sorted by
/// name ("list-type=2&prefix=a%2F").
struct aws_request {
  std::string_view method = "GET";
  std::string host, path, query = {};
  /// Further headers to sign, by lower-case name.
  std::map<std::string, std::string> headers = {};
};

/// All headers that a request without a body needs besides Host, by lower-case
/// name. `time` is UTC, "20130524T000000Z".
std::map<std::string, std::string>
signed_headers(const aws_request &request, const aws_credentials &credentials,
               const std::string &region, const std::string &time);

/// `text` with all but unreserved characters as %XX; '/' too unless `path`.
std::string percent_encoded(std::string_view text, bool path);

} // namespace ganglion::apps

// Requests and responses as handlers see them: plain data, no sockets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::apps {

struct http_header {
  std::string name, value;
};

struct http_request {
  std::string id; ///< x-request-id, the client's or ours; safe in a header
  std::string method;
  std::string path;  ///< without the query
  std::string query; ///< after '?', undecoded
  std::vector<http_header> headers;
  std::string body;
  /// What the route's "{...}" matched, in order.
  std::vector<std::string> captures;

  /// The first header of that name in any case; empty if there is none.
  std::string_view header(std::string_view name) const;
  /// The value of `name` in the query, percent escapes resolved; empty if
  /// there is none.
  std::string query_value(std::string_view name) const;
};

struct http_response {
  unsigned status = 200;
  std::string content_type = "application/json";
  /// Beyond those that every response carries. Values must be free of
  /// control characters.
  std::vector<http_header> headers = {};
  std::string body = {};
};

/// Whether two names differ in case only.
bool same_header_name(std::string_view a, std::string_view b);

/// A path's segment with its percent escapes resolved.
std::string segment_text(std::string_view segment);

/// `text` with everything that may not stand in a header list escaped as %XX.
std::string header_token(std::string_view text);

} // namespace ganglion::apps

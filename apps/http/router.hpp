// The table of routes: which handler answers which method and path.
#pragma once

#include "apps/http/reply.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

struct http_route {
  std::string method;
  /// Segments; "{name}" matches any one of them.
  std::string path;
  http_handler handle;
};

/// Words a refusal of the router's own as the clients of `path` know it.
using http_refusal_writer =
    std::function<http_response(std::string_view path, unsigned status,
                                std::string_view type, std::string_view text)>;

class http_router {
public:
  /// `refuse` defaults to the server's own form of errors.
  explicit http_router(std::vector<http_route> routes,
                       http_refusal_writer refuse = {});

  /// Lets a route answer, or answers itself: OPTIONS anywhere, 404 for an
  /// unknown path, 405 for another method, and errors that handlers throw.
  void dispatch(http_request request, std::shared_ptr<http_reply> reply) const;
  /// Answers a request without a key that is known.
  void refuse_key(const http_request &request, http_reply &reply) const;

private:
  void route(http_request request,
             const std::shared_ptr<http_reply> &reply) const;
  std::vector<http_route> routes_;
  http_refusal_writer refuse_;
};

} // namespace ganglion::apps

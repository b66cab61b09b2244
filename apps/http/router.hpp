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

class http_router {
public:
  explicit http_router(std::vector<http_route> routes)
      : routes_(std::move(routes)) {}

  /// Lets a route answer, or answers itself: OPTIONS anywhere, 404 for an
  /// unknown path, 405 for another method, and errors that handlers throw.
  void dispatch(http_request request, std::shared_ptr<http_reply> reply) const;

private:
  void route(http_request request,
             const std::shared_ptr<http_reply> &reply) const;
  std::vector<http_route> routes_;
};

} // namespace ganglion::apps

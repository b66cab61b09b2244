// Handlers whose errors are told in the words of their family of routes.
#pragma once

#include "apps/http/reply.hpp"
#include "apps/serving/request_failure.hpp"

#include <functional>
#include <utility>

namespace ganglion::apps {

using failure_writer = std::function<http_response(const request_failure &)>;

/// Answers with what `refuse` makes of an error that `handle` throws.
inline http_handler guarded(http_handler handle, failure_writer refuse) {
  return [handle = std::move(handle),
          refuse = std::move(refuse)](http_request request, auto reply) {
    try {
      handle(std::move(request), reply);
    } catch (const error &e) {
      reply->send(refuse(failure_of(e)));
    }
  };
}

} // namespace ganglion::apps

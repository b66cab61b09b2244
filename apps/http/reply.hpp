// The way back to the client of one request.
#pragma once

#include "apps/http/message.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace ganglion::apps {

/// Answered once: by `send`, or by `begin`, any number of `write` and `end`.
/// Belongs to the server's thread. Once the client has been given up, calls
/// have no effect.
class http_reply {
public:
  virtual ~http_reply() = default;

  /// The whole response.
  virtual void send(http_response response) = 0;

  /// Starts a response whose body comes in pieces; `head.body` is not used.
  virtual void begin(http_response head) = 0;
  /// Never blocks. A client that does not keep up is given up when too much
  /// is waiting for it.
  virtual void write(std::string_view piece) = 0;
  virtual void end() = 0;

  /// Who asks: the number of the key, 0 without keys.
  virtual std::size_t client() const = 0;

  /// What the record of the request has besides: members of a JSON object,
  /// without braces.
  virtual void note(std::string members) = 0;

  /// `action` is called, at most once and never from inside these calls, when
  /// the client is given up before the response is complete.
  virtual void on_abandoned(std::function<void()> action) = 0;
};

/// Answers a request, at once or later. May throw `ganglion::error` before it
/// has answered.
using http_handler =
    std::function<void(http_request, std::shared_ptr<http_reply>)>;

} // namespace ganglion::apps

// What a family of routes makes of generated tokens: the seam between serving
// a request and the bytes that its clients expect.
#pragma once

#include "apps/http/message.hpp"
#include "apps/serving/request_failure.hpp"
#include "runtime/generation/generation_event.hpp"

#include <cstddef>
#include <string>

namespace ganglion::apps {

/// The answer to one request. Belongs to the server's thread.
class generation_answer {
public:
  virtual ~generation_answer() = default;

  /// Status and headers; `body` is not used.
  virtual http_response head() const = 0;
  /// Whether pieces are sent as they come.
  virtual bool streams() const = 0;

  /// Takes an event of the call's sequence number `sequence`; returns what it
  /// adds to a stream, nothing if the answer comes whole.
  virtual std::string take(std::size_t sequence,
                           runtime::generation_event event) = 0;
  /// Once all sequences have ended: the end of the stream, or the whole body.
  virtual std::string finish() = 0;

  /// The response when a sequence failed before anything has been sent.
  virtual http_response refusal(const request_failure &failure) const = 0;
  /// What ends a stream that has begun.
  virtual std::string broken_off(const request_failure &failure) const = 0;
};

} // namespace ganglion::apps

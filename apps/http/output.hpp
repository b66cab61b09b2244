// The bytes on their way to one client: written in order, one write under way
// at a time, the rest gathered for the next.
#pragma once

#include "apps/http/stream.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ganglion::apps {

/// Belongs to the socket's thread.
class http_output {
public:
  /// `on_progress` is called after each write with whether it succeeded.
  http_output(http_stream &stream, std::function<void(bool)> on_progress)
      : stream_(stream),
        on_progress_(std::move(on_progress)) {}

  /// Queues `bytes`; `owner` is kept alive until they are written.
  void push(std::string_view bytes, const std::shared_ptr<void> &owner);

  bool idle() const { return under_way_.empty(); }
  /// Bytes that the kernel has not taken yet.
  std::size_t unsent() const { return under_way_.size() + waiting_.size(); }

private:
  void write(const std::shared_ptr<void> &owner);

  http_stream &stream_;
  std::function<void(bool)> on_progress_;
  std::string under_way_, waiting_;
};

} // namespace ganglion::apps

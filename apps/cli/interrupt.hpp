// Ctrl-C as a flag: the first one asks for an orderly end, the second ends the
// process as usual.
#pragma once

#include <atomic>

namespace ganglion::apps {

/// While it lives, SIGINT sets the flag. One at a time.
class interrupt_guard {
public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard &) = delete;
  interrupt_guard &operator=(const interrupt_guard &) = delete;

  const std::atomic<bool> &flag() const;
};

} // namespace ganglion::apps

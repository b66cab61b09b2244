#include "apps/cli/interrupt.hpp"

#include <csignal>

namespace ganglion::apps {

namespace {

// A signal handler can reach nothing else.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

} // namespace

interrupt_guard::interrupt_guard() {
  interrupted = false;
  std::signal(SIGINT, on_interrupt);
}

interrupt_guard::~interrupt_guard() { std::signal(SIGINT, SIG_DFL); }

const std::atomic<bool> &interrupt_guard::flag() const { return interrupted; }

} // namespace ganglion::apps

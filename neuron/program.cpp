#include "neuron/program.hpp"

#include "hlo/support/log.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>

namespace ganglion::neuron {

namespace {

/// GANGLION_VERBOSE=1 prints a line per executed kernel.
bool verbose() {
  static const bool on = [] {
    const char *text = std::getenv("GANGLION_VERBOSE");
    return text && *text && std::string_view(text) != "0";
  }();
  return on;
}

std::int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void report(const kernel_call &call, std::int64_t elapsed) {
  log::info("kernel {} {} {} {:.1f} us", call.name, call.shape, call.kernel,
            static_cast<double>(elapsed) / 1000.0);
}

} // namespace

collective_status program::run(run_frame &frame, thread_team &team,
                               run_times *times) const {
  frame.constants = const_cast<std::byte *>(constants.data());
  frame.status = collective_status::ok;
  const bool timed = times || verbose();
  const std::int64_t start = timed ? nanoseconds() : 0;
  std::int64_t in_collectives = 0;
  std::exception_ptr thrown; // set by member 0 before a barrier
  const auto alone = [&](const kernel_call &call) {
    try {
      call.run(frame, {});
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  const auto work = [&](int member) {
    const work_share share{member, team.size()};
    for (const kernel_call &call : calls) {
      // A look at the clock costs as much as a small kernel.
      const bool watched =
          member == 0 && timed && (call.collective || verbose());
      const std::int64_t before = watched ? nanoseconds() : 0;
      if (!call.single)
        call.run(frame, share);
      else if (member == 0)
        alone(call);
      team.barrier();
      if (thrown)
        return;
      if (watched) {
        const std::int64_t elapsed = nanoseconds() - before;
        if (call.collective)
          in_collectives += elapsed;
        if (verbose())
          report(call, elapsed);
      }
      if (call.collective && frame.status != collective_status::ok)
        return;
    }
  };
  team.run(
      std::ref(work)); // a reference: the function object must not allocate
  if (thrown)
    std::rethrow_exception(thrown);
  if (times) {
    times->total = nanoseconds() - start;
    times->collectives = in_collectives;
  }
  return frame.status;
}

std::string program::print() const {
  std::string out = "program: " + std::to_string(calls.size()) +
                    " kernel calls, arena " + std::to_string(arena_bytes) +
                    " bytes, " + std::string(to_string(set)) + "\n";
  for (const kernel_call &call : calls)
    out += "  " + call.name + " " + call.shape + " " + call.kernel + "\n";
  return out;
}

} // namespace ganglion::neuron

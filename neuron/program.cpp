#include "neuron/program.hpp"

#include "hlo/support/log.hpp"

#include <algorithm>
#include <atomic>
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

row_mode program::mode_for(const run_frame &frame) const {
  return std::max(frame.live_tokens, frame.live_logits) <= repeated_rows
             ? row_mode::repeated
             : row_mode::shared;
}

/// Every member sees the same but for its local memory. Allocates when a frame
/// is first used with a team.
void program::prepare(run_frame &frame, int members) const {
  frame.constants = const_cast<std::byte *>(constants.data());
  frame.local = frame.arena + arena_bytes;
  frame.status = collective_status::ok;
  frame.others.resize(static_cast<std::size_t>(members - 1));
  std::byte *local = frame.local;
  for (run_frame &other : frame.others) {
    if (mode_for(frame) == row_mode::repeated)
      local += local_bytes;
    other.parameters = frame.parameters;
    other.arena = frame.arena;
    other.local = local;
    other.constants = frame.constants;
    other.live_tokens = frame.live_tokens;
    other.live_logits = frame.live_logits;
    other.rank = frame.rank;
  }
}

namespace {

/// One run of a program by a team.
class program_run {
public:
  program_run(const program &code, run_frame &frame, thread_team &team,
              row_mode mode, bool timed)
      : code_(code),
        frame_(frame),
        team_(team),
        mode_(mode),
        timed_(timed) {}

  void work(int member) {
    run_frame &mine = member == 0
                          ? frame_
                          : frame_.others[static_cast<std::size_t>(member - 1)];
    for (std::size_t i = 0; i < code_.calls.size(); ++i) {
      const kernel_call &call = code_.calls[i];
      // A look at the clock costs as much as a small kernel.
      const bool watched =
          member == 0 && timed_ && (call.collective || verbose());
      const std::int64_t before = watched ? nanoseconds() : 0;
      if (team_.size() > 1 && call.meets.has(mode_, team_.size()))
        team_.barrier();
      if (failed_before(i))
        return;
      run(call, mine, member, i);
      if (watched)
        note(call, nanoseconds() - before);
    }
  }

  void rethrow() const {
    if (thrown_)
      std::rethrow_exception(thrown_);
  }
  std::int64_t in_collectives() const { return in_collectives_; }

private:
  /// Whether all members know of a failure: those after a meeting do.
  bool failed_before(std::size_t i) const {
    return failed_.load(std::memory_order_relaxed) < i &&
           (team_.size() == 1 || code_.calls[i].meets.has(mode_, team_.size()));
  }

  void run(const kernel_call &call, run_frame &mine, int member,
           std::size_t i) {
    if (call.single) {
      if (member == 0 && !failed())
        alone(call, i);
    } else if (member == 0 && failed()) {
      return; // only member 0 fails; it does no more than meet the others
    } else if (call.repeatable && mode_ == row_mode::repeated) {
      call.run(mine, {});
    } else {
      call.run(mine, {member, team_.size()});
    }
  }

  bool failed() const {
    return failed_.load(std::memory_order_relaxed) != none;
  }

  void alone(const kernel_call &call, std::size_t i) {
    try {
      call.run(frame_, {});
    } catch (...) {
      thrown_ = std::current_exception();
    }
    if (thrown_ || frame_.status != collective_status::ok)
      failed_.store(i, std::memory_order_relaxed);
  }

  void note(const kernel_call &call, std::int64_t elapsed) {
    if (call.collective)
      in_collectives_ += elapsed;
    if (verbose())
      report(call, elapsed);
  }

  const program &code_;
  run_frame &frame_;
  thread_team &team_;
  const row_mode mode_;
  const bool timed_;
  std::exception_ptr thrown_;
  static constexpr auto none = ~std::size_t{0};
  /// The call that failed. Who looks after a meeting may see a failure of a
  /// later call, which is for the next meeting.
  std::atomic<std::size_t> failed_{none};
  std::int64_t in_collectives_ = 0;
};

} // namespace

collective_status program::run(run_frame &frame, thread_team &team,
                               run_times *times) const {
  prepare(frame, team.size());
  const bool timed = times || verbose();
  const std::int64_t start = timed ? nanoseconds() : 0;
  program_run steps(*this, frame, team, mode_for(frame), timed);
  const auto work = [&](int member) { steps.work(member); };
  team.run(
      std::ref(work)); // a reference: the function object must not allocate
  steps.rethrow();
  if (times) {
    times->total = nanoseconds() - start;
    times->collectives = steps.in_collectives();
  }
  return frame.status;
}

std::size_t program::meetings() const {
  std::size_t sum = 0;
  for (const kernel_call &call : calls)
    sum += call.meets.count();
  return sum;
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

// What an engine counts and times: written by its actors with relaxed
// additions, read by anyone at any time.
#pragma once

#include "hlo/support/error.hpp"
#include "hlo/support/histogram.hpp"
#include "runtime/generation/finish_reason.hpp"
#include "runtime/scheduling/step_plan.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace ganglion {

/// A number that only grows, or the last of a thing that was looked at. Any
/// thread.
class relaxed_number {
public:
  void add(std::uint64_t n = 1) noexcept {
    value_.fetch_add(n, std::memory_order_relaxed);
  }
  void set(std::uint64_t n) noexcept {
    value_.store(n, std::memory_order_relaxed);
  }
  std::uint64_t read() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

private:
  std::atomic<std::uint64_t> value_{0};
};

struct step_histogram : histogram {
  step_histogram()
      : histogram{.0001, .00025, .0005, .001, .0025, .005, .01, .025,
                  .05,   .1,     .25,   .5,   1,     2.5,  5,   10} {}
};

/// What one core did.
struct core_metrics {
  relaxed_number steps, nanoseconds, collective_nanoseconds, mailbox;
  relaxed_number last_step_nanoseconds;
};

struct engine_metrics {
  static constexpr std::size_t most_cores = 64;
  static constexpr std::size_t phases = 3, codes = 10;

  /// From submission to the first step that computes something of it, to the
  /// first token, and to the end.
  histogram queue_time{.001, .005, .01, .05, .1, .25, .5,
                       1,    2.5,  5,   10,  30, 60,  120};
  histogram first_token{.001, .005, .01, .02, .04, .06, .08, .1, .25, .5,
                        .75,  1,    2.5, 5,   7.5, 10,  20,  40, 80,  160};
  histogram whole_time{.01, .05, .1, .3, .5, .8, 1,  1.5, 2,   2.5,
                       5,   10,  15, 20, 30, 40, 60, 120, 240, 480};
  /// Between two tokens of a choice.
  histogram token_gap{.0005, .001, .0025, .005, .01, .025, .05, .075, .1,
                      .15,   .2,   .3,    .4,   .5,  .75,  1,   2.5,  5};
  /// Steps on the device, by `runtime::step_phase`.
  std::array<step_histogram, phases> step_time;
  /// Rows of those steps.
  std::array<relaxed_number, phases> step_rows;

  /// Tokens of the prompts that reached the scheduler.
  relaxed_number prompt_tokens;
  /// Requests that were not taken, by `error_code`.
  std::array<relaxed_number, codes> rejected;

  /// Messages that waited when an actor last looked.
  relaxed_number engine_mailbox, scheduler_mailbox;
  std::array<core_metrics, most_cores> cores;
};

} // namespace ganglion

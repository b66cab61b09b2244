// What an engine takes from outside instead of reaching for it: time,
// randomness, how long a stall is, and a hook where tests break a rank.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/scheduling/step_plan.hpp"
#include "runtime/speculation/guesser.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>

namespace ganglion::actors {

struct environment {
  std::shared_ptr<const clock> time = std::make_shared<steady_clock>();
  /// Seeds of requests that bring none. Called by the engine actor alone.
  std::function<std::uint64_t()> draw_seed = [] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  };
  /// A rank that does not answer for this long is given up.
  duration stall_limit = std::chrono::seconds(30);
  /// Lost groups in a row, without a finished step between, before the engine
  /// fails.
  int restart_budget = 3;
  /// Runs on a shard's thread before each step; may throw (the shard dies),
  /// block (it stalls) or change the plan (ranks disagree).
  std::function<void(std::int64_t rank, runtime::step_plan &plan)> before_step;
  /// Guesses tokens in place of what the configuration names.
  runtime::guesser_factory guessers;
  /// What token rows take of a step's time; nothing: as steps tell.
  std::optional<double> row_share;
};

} // namespace ganglion::actors

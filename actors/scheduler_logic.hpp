// Drives the pure scheduler: sends plans one ahead, collects the results of
// all ranks, watches deadlines and stalls. Knows no actors.
#pragma once

#include "hlo/support/clock.hpp"
#include "hlo/support/error.hpp"
#include "runtime/scheduling/scheduler.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::actors {

/// What the logic tells others; an actor or a test listens.
class scheduler_outbox {
public:
  virtual ~scheduler_outbox() = default;
  /// To every rank of the group.
  virtual void
  send_plan(const std::shared_ptr<const runtime::step_plan> &plan) = 0;
  virtual void send_event(const runtime::sequence_event &event) = 0;
  virtual void send_failure(runtime::request_id id, error_code code,
                            const std::string &message) = 0;
  /// A step of `rows` rows ended well.
  virtual void note_step(runtime::step_phase, std::size_t /*rows*/,
                         const runtime::step_result &) {}
  /// The group cannot go on; `use_group` will bring another one.
  virtual void report_loss(const std::string &reason) = 0;
};

/// Belongs to one actor; the outbox and clock outlive it.
class scheduler_logic {
public:
  /// Plans under way at once: one runs while the next waits on the shard, so
  /// that the message round trip hides behind the step.
  static constexpr std::size_t plans_ahead = 2;

  scheduler_logic(const runtime::scheduler_limits &limits, const clock &time,
                  duration stall_limit, scheduler_outbox &outbox);

  void enqueue(runtime::sequence_request request);
  /// One choice of a request, or all of them; false if there was none.
  bool forget(runtime::request_id id,
              std::optional<std::int32_t> choice = std::nullopt);
  /// A fresh group of `ranks` ranks with empty caches.
  void use_group(std::int64_t ranks);
  /// One rank's result of the oldest plan, or of the one after it.
  void take_result(std::int64_t rank,
                   std::shared_ptr<const runtime::step_result> result);
  /// The group ended: fails the requests of the steps under way.
  void lose_group(const std::string &reason);
  /// Deadlines and stalls.
  void look_at_clock();
  /// When `look_at_clock` has something to do at the earliest.
  std::optional<time_point> next_wake() const;
  /// Also fails those that are still to come.
  void fail_all(error_code code, const std::string &message);

  /// When the step that runs was begun.
  std::optional<time_point> step_since() const;
  const runtime::scheduler &scheduling() const { return scheduler_; }
  bool has_group() const { return ranks_ > 0; }

private:
  struct failure {
    error_code code;
    std::string message;
  };
  struct step_under_way {
    std::uint64_t id = 0;
    time_point sent;
    runtime::step_phase phase = runtime::step_phase::prefill;
    std::size_t rows = 0;
    std::vector<std::shared_ptr<const runtime::step_result>> results;
    std::int64_t missing = 0;
  };

  void send_plans();
  void finish_steps();
  void finish_step(const step_under_way &step);
  void send_failure(const runtime::sequence_event &event);
  void fail(runtime::request_id id, error_code code,
            const std::string &message);

  runtime::scheduler scheduler_;
  const clock &time_;
  duration stall_limit_;
  scheduler_outbox &outbox_;
  std::int64_t ranks_ = 0;
  std::deque<step_under_way> steps_;
  std::optional<failure> failure_; ///< of everything, for good
};

} // namespace ganglion::actors

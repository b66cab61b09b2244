// An actor system without threads: tests run messages one by one and move the
// timers by hand. Hides CAF's test coordinator.
#pragma once

#include "actors/caf_boundary.hpp"

#include <caf/scheduler/test_coordinator.hpp>

namespace ganglion::testing {

class deterministic_system {
public:
  deterministic_system() {
    settings_.set("scheduler.policy", caf::atom("testing"));
    system_.emplace(settings_);
  }
  ~deterministic_system() {
    for (const auto &a : actors_)
      caf::anon_send_exit(a, caf::exit_reason::user_shutdown);
    run();
  }

  caf::actor_system &get() { return *system_; }

  /// Runs until no message is left.
  void run() { coordinator().run(); }
  /// Moves virtual time and delivers the timers that are due.
  void advance(std::chrono::nanoseconds by) {
    coordinator().advance_time(by);
    run();
  }

  // Spawned with an argument each: CAF 0.17.6 dereferences a null pointer for
  // functions that have none.

  /// An actor that keeps every T it receives in `inbox`.
  template <class... T, class Inbox>
  caf::actor spawn_inbox(std::shared_ptr<Inbox> inbox) {
    return keep(system_->spawn(
        [](caf::event_based_actor *self, std::shared_ptr<Inbox> in) {
          actors::rt::drop_unknown_messages(self);
          return caf::behavior{[in](const T &m) { in->add(m); }...};
        },
        std::move(inbox)));
  }

  /// Spawns through a parent that lives as long as the system.
  template <class F>
  caf::actor spawn_by_parent(F spawn) {
    caf::actor child;
    // A parent's code runs with its first turn, not when it is spawned.
    keep(system_->spawn(
        [&](caf::event_based_actor *self, caf::actor *out) {
          *out = spawn(self);
          return caf::behavior{[](int) {}};
        },
        &child));
    run();
    return keep(child);
  }

  caf::actor keep(caf::actor a) {
    actors_.push_back(a);
    return a;
  }

private:
  caf::scheduler::test_coordinator &coordinator() {
    return dynamic_cast<caf::scheduler::test_coordinator &>(
        system_->scheduler());
  }

  caf::actor_system_config settings_;
  std::optional<caf::actor_system> system_;
  std::vector<caf::actor> actors_;
};

} // namespace ganglion::testing

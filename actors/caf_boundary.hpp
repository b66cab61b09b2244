// The only place that says how this CAF version sends, spawns and is set up;
// moving to another version changes this header alone.
#pragma once

#include <caf/all.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace ganglion::actors::rt {

using caf::actor;
using caf::actor_system;
using caf::actor_system_config;
using event_actor = caf::event_based_actor;

/// Sends from an actor.
template <class Self, class... Messages>
void send(Self *self, const actor &to, Messages &&...messages) {
  self->send(to, std::forward<Messages>(messages)...);
}

/// Sends from outside any actor; never blocks, any thread.
template <class... Messages>
void post(const actor &to, Messages &&...messages) {
  caf::anon_send(to, std::forward<Messages>(messages)...);
}

template <class Self, class Message>
void send_after(Self *self, std::chrono::nanoseconds delay, const actor &to,
                Message &&message) {
  self->delayed_send(to, delay, std::forward<Message>(message));
}

/// Messages that wait for `self`, which asks itself: those that it took over
/// with the present one. Later ones are left where they are; asking for these
/// too runs CAF's own casts, which are undefined.
template <class Self>
std::size_t mailbox_depth(Self *self) {
  return self->mailbox().queue().total_task_size();
}

/// Ends the actor with an error that its monitors hear of.
template <class Self>
void fail(Self *self, const char *reason) {
  self->quit(caf::make_error(caf::sec::runtime_error, std::string(reason)));
}

/// Ends an actor from outside its own code.
template <class Self>
void stop(Self *self, const actor &target) {
  self->send_exit(target, caf::exit_reason::user_shutdown);
}

/// `f(source, failed, reason)` is called when a monitored actor ends.
template <class Self, class F>
void on_down(Self *self, F f) {
  self->set_down_handler([self, f](caf::down_msg &m) {
    const bool failed = m.reason && m.reason != caf::exit_reason::normal &&
                        m.reason != caf::exit_reason::user_shutdown;
    f(m.source, failed, self->system().render(m.reason));
  });
}

/// Unknown messages are dropped silently instead of printed to stdout.
template <class Self>
void drop_unknown_messages(Self *self) {
  self->set_default_handler(caf::drop);
}

/// The policy that costs nothing when idle, with as many workers as the small
/// control actors need (measured: CAF's default policy polls, and runs a
/// receiver only after its sender's handler ends).
inline void configure(actor_system_config &config) {
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", std::size_t{2});
  config.set("scheduler.max-throughput", std::size_t{300});
}

} // namespace ganglion::actors::rt

// Asks an engine whether its actors are alive, with a limit to the patience.
#pragma once

#include "actors/engine.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>

namespace ganglion::apps {

/// `done` is called once on `executor`: true as soon as a message has gone
/// through the engine's actors, false when it has not within `patience`.
void check_heartbeat(const engine &engine,
                     const boost::asio::any_io_executor &executor,
                     std::chrono::milliseconds patience,
                     std::function<void(bool alive)> done);

} // namespace ganglion::apps

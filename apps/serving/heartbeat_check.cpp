#include "apps/serving/heartbeat_check.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace ganglion::apps {

namespace {

/// Belongs to the executor's thread.
struct check {
  boost::asio::steady_timer patience;
  std::function<void(bool)> done;

  void tell(bool alive) {
    if (const auto f = std::exchange(done, {}))
      f(alive);
    patience.cancel();
  }
};

} // namespace

void check_heartbeat(const engine &engine,
                     const boost::asio::any_io_executor &executor,
                     std::chrono::milliseconds patience,
                     std::function<void(bool alive)> done) {
  const auto state = std::make_shared<check>(
      check{boost::asio::steady_timer(executor), std::move(done)});
  state->patience.expires_after(patience);
  state->patience.async_wait([state](const boost::system::error_code &ec) {
    if (!ec)
      state->tell(false);
  });
  engine.heartbeat([state = std::weak_ptr<check>(state), executor] {
    boost::asio::post(executor, [state] {
      if (const auto alive = state.lock())
        alive->tell(true);
    });
  });
}

} // namespace ganglion::apps

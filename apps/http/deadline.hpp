// One moment at which something happens unless it is put off or dropped.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>

namespace ganglion::apps {

/// Belongs to the executor's thread.
class deadline {
public:
  deadline(const boost::asio::any_io_executor &executor,
           std::function<void()> action)
      : timer_(executor),
        action_(std::move(action)) {}

  /// `owner` keeps this object alive; it is not kept alive for the wait.
  template <class Owner>
  void set(std::chrono::milliseconds from_now,
           const std::shared_ptr<Owner> &owner) {
    timer_.expires_after(from_now);
    timer_.async_wait([this, weak = std::weak_ptr<Owner>(owner)](auto ec) {
      const auto alive = weak.lock();
      // A wait that had ended before it was put off still reports here.
      if (alive && !ec &&
          timer_.expiry() <= boost::asio::steady_timer::clock_type::now())
        action_();
    });
  }
  void drop() {
    timer_.expires_at(boost::asio::steady_timer::time_point::max());
  }

private:
  boost::asio::steady_timer timer_;
  std::function<void()> action_;
};

} // namespace ganglion::apps

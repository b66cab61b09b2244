#include "apps/serving/event_channel.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace ganglion::apps {

bool event_channel::push(runtime::generation_event event) {
  const std::lock_guard lock(mutex_);
  if (closed_)
    return false;
  waiting_.push_back(std::move(event));
  if (!std::exchange(posted_, true))
    boost::asio::post(executor_,
                      [self = shared_from_this()] { self->deliver(); });
  return true;
}

void event_channel::deliver() {
  std::vector<runtime::generation_event> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(waiting_);
    posted_ = false;
  }
  // A copy, since the receiver may close the channel.
  if (const auto receive = receive_; receive && !events.empty())
    receive(std::move(events));
}

void event_channel::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    waiting_.clear();
  }
  receive_ = nullptr;
}

} // namespace ganglion::apps

// The bridge from the engine's threads to the server's: events are gathered
// under a lock and cross in batches.
#pragma once

#include "runtime/generation/generation_event.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <mutex>
#include <vector>

namespace ganglion::apps {

/// `push` is for the engine's threads; everything else for the executor's.
class event_channel final : public runtime::event_sink,
                            public std::enable_shared_from_this<event_channel> {
public:
  using receiver =
      std::function<void(std::vector<runtime::generation_event> events)>;

  /// `receive` is called on the executor until the channel is closed.
  event_channel(boost::asio::any_io_executor executor, receiver receive)
      : executor_(std::move(executor)),
        receive_(std::move(receive)) {}

  /// False once the channel is closed.
  bool push(runtime::generation_event event) override;

  /// Forgets what has not been received, and the receiver.
  void close();

private:
  void deliver();

  boost::asio::any_io_executor executor_;
  receiver receive_;
  std::mutex mutex_;
  std::vector<runtime::generation_event> waiting_;
  bool posted_ = false, closed_ = false;
};

} // namespace ganglion::apps

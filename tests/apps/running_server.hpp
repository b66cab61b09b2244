// Servers that run on a thread of their own while a test talks to them.
#pragma once

#include "apps/http/listener.hpp"
#include "apps/server/server.hpp"
#include "hlo/support/log.hpp"
#include "tests/fixtures.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <future>
#include <thread>

namespace ganglion::testing {

/// A listener with routes of the test's own.
class running_listener {
public:
  explicit running_listener(std::vector<apps::http_route> routes,
                            apps::http_limits limits = {})
      : running_listener({limits, apps::http_router(std::move(routes))}) {}
  explicit running_listener(apps::http_service service)
      : listener_(context_, "127.0.0.1", 0, std::move(service)) {
    listener_.start();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~running_listener() {
    on_thread([this] { listener_.abort(); });
    context_.stop();
    thread_.join();
  }

  std::uint16_t port() const { return listener_.port(); }
  apps::http_listener &listener() { return listener_; }

  /// Runs `action` on the server's thread and waits for it.
  template <class Action>
  void on_thread(Action action) {
    std::promise<void> done;
    boost::asio::post(context_, [&] {
      action();
      done.set_value();
    });
    done.get_future().wait();
  }

private:
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type>
      work_{context_.get_executor()};
  apps::http_listener listener_;
  std::thread thread_;
};

/// The options of a server for the shipped model.
inline apps::lmi_server_options story_server() {
  apps::lmi_server_options options;
  options.config.model.model_id = stories260k();
  options.config.model.model_name = "stories260k";
  options.config.server.port = 0;
  options.handle_signals = false;
  return options;
}

class running_server {
public:
  explicit running_server(apps::lmi_server_options options)
      : server_(std::move(options)),
        done_(
            std::async(std::launch::async, [this] { return server_.run(); })) {}
  ~running_server() {
    server_.stop();
    server_.stop();
    if (done_.valid())
      done_.wait();
  }

  std::uint16_t port() const { return server_.port(); }
  apps::lmi_server &server() { return server_; }
  /// What `run` returned or threw.
  bool result() { return done_.get(); }

  /// Waits until the engine says so; asks it again and again, with a bound.
  template <class Condition>
  bool eventually(Condition holds) const {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds(server_.status()))
      if (std::chrono::steady_clock::now() > end)
        return false;
      else
        std::this_thread::yield();
    return true;
  }
  bool ready() const {
    return eventually(
        [](const engine_status &s) { return s.state == engine_state::ready; });
  }

private:
  apps::lmi_server server_;
  std::future<bool> done_;
};

} // namespace ganglion::testing

#include "apps/server/server.hpp"

#include "apps/http/listener.hpp"
#include "apps/server/all_routes.hpp"
#include "apps/serving/http_setup.hpp"
#include "apps/serving/request_log.hpp"
#include "hlo/support/log.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include <atomic>
#include <csignal>
#include <optional>
#include <thread>

namespace ganglion::apps {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds look_interval{50};

} // namespace

/// Everything but `stop` belongs to the thread in `run`.
class lmi_server::implementation {
public:
  implementation(lmi_server_options options, load_observer observer)
      : options_(std::move(options)),
        listener_(context_, options_.config.server.host,
                  options_.config.server.port,
                  service(all_routes(
                      {&engine_,
                       std::make_shared<const engine_config>(options_.config),
                       context_.get_executor(),
                       std::make_shared<text_worker>(context_.get_executor())},
                      counted_))),
        engine_(options_.config, std::move(observer)) {
    if (!options_.handle_signals)
      return;
    // Now, for whoever learns the address may send one at once.
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    watch_signals();
  }

  ~implementation() {
    now_ = true;
    listener_.abort();
    if (drainer_.joinable())
      drainer_.join();
  }

  bool run() {
    if (!options_.config.server.wait_model_loading)
      listen();
    watch_loading();
    context_.run();
    if (failure_)
      throw *failure_;
    return drained_in_time_;
  }

  void stop() {
    asio::post(context_, [this] { stop_here(); });
  }

  asio::io_context context_{1};
  lmi_server_options options_;
  std::shared_ptr<server_metrics> counted_ = std::make_shared<server_metrics>();
  // Before the engine, so that a port in use is found out before any loading.
  http_listener listener_;
  engine engine_;

private:
  http_service service(http_router router) {
    http_service out{options_.limits, std::move(router),
                     [this](const http_record &record) { observe(record); }};
    apply_access(out, options_.config.server);
    return out;
  }

  void observe(const http_record &record) {
    counted_->take(record);
    log_request(record, options_.config.model.model_name);
  }

  void watch_signals() {
    signals_.async_wait([this](const boost::system::error_code &ec, int) {
      if (ec)
        return;
      stop_here();
      watch_signals();
    });
  }

  /// Until then clients that connect wait.
  void listen() {
    if (!std::exchange(listening_, true))
      listener_.start();
  }

  /// The engine reports its readiness only when asked.
  void watch_loading() {
    const auto status = engine_.status();
    if (status.state != engine_state::loading)
      listen();
    if (status.state == engine_state::failed)
      return end_after_failure(status);
    if (status.state != engine_state::loading)
      return;
    timer_.expires_after(look_interval);
    timer_.async_wait([this](const boost::system::error_code &ec) {
      if (!ec)
        watch_loading();
    });
  }

  void end_after_failure(const engine_status &status) {
    // The message says the place already.
    failure_.emplace(status.code, status.message);
    timer_.expires_after(options_.failure_linger);
    timer_.async_wait([this](const boost::system::error_code &ec) {
      if (!ec)
        end();
    });
  }

  void stop_here() {
    if (std::exchange(stopping_, true)) {
      drained_in_time_ = false;
      return end();
    }
    log::info("stopping: {} connections, {} requests running",
              listener_.sessions(), engine_.status().running);
    timer_.expires_after(options_.drain_limit);
    timer_.async_wait([this](const boost::system::error_code &ec) {
      if (ec)
        return;
      log::warn("requests were still running when the time to drain was over");
      drained_in_time_ = false;
      end();
    });
    listener_.drain([this] { empty_ = true, end_if_done(); });
    drainer_ = std::thread([this] { drain(); });
  }

  /// Blocks its thread, in slices so that a second signal is obeyed.
  void drain() {
    while (!now_ && !engine_.drain(look_interval)) {
    }
    asio::post(context_, [this] { drained_ = true, end_if_done(); });
  }

  void end_if_done() {
    if (drained_ && empty_)
      end();
  }

  void end() {
    now_ = true;
    context_.stop();
  }

  asio::executor_work_guard<asio::io_context::executor_type> work_{
      context_.get_executor()};
  asio::signal_set signals_{context_};
  asio::steady_timer timer_{context_};
  std::thread drainer_;
  std::atomic<bool> now_ = false;
  bool listening_ = false;
  bool stopping_ = false, drained_ = false, empty_ = false;
  bool drained_in_time_ = true;
  std::optional<error> failure_;
};

lmi_server::lmi_server(lmi_server_options options, load_observer observer)
    : self_(std::make_unique<implementation>(std::move(options),
                                             std::move(observer))) {}

lmi_server::~lmi_server() = default;

std::string lmi_server::address() const { return self_->listener_.url(); }
std::uint16_t lmi_server::port() const { return self_->listener_.port(); }
bool lmi_server::run() { return self_->run(); }
void lmi_server::stop() { self_->stop(); }
engine_status lmi_server::status() const { return self_->engine_.status(); }

} // namespace ganglion::apps

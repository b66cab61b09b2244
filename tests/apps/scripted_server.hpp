// A web server that answers as a test's script says, and may break off.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ganglion::testing {

/// One connection for each request, one after the other.
class scripted_server {
public:
  using request = boost::beast::http::request<boost::beast::http::empty_body>;
  struct answer {
    unsigned status = 200;
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    /// Bytes of the body that are sent before the connection is closed.
    std::optional<std::size_t> cut_after = {};
  };
  using script = std::function<answer(const request &)>;

  explicit scripted_server(script answers)
      : answers_(std::move(answers)),
        thread_([this] { serve(); }) {}
  ~scripted_server() {
    stopping_ = true;
    boost::system::error_code ignored;
    tcp::socket knock(context_);
    knock.connect(acceptor_.local_endpoint(), ignored); // wakes it
    thread_.join();
  }
  scripted_server(const scripted_server &) = delete;
  scripted_server &operator=(const scripted_server &) = delete;

  std::string host() const {
    return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  std::string url() const { return "http://" + host(); }

  /// "GET /a", and " bytes=3-" behind it for a part.
  std::vector<std::string> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }

private:
  using tcp = boost::asio::ip::tcp;

  void serve() {
    while (!stopping_) {
      tcp::socket socket(context_);
      boost::system::error_code failed;
      acceptor_.accept(socket, failed);
      if (!failed && !stopping_)
        answer_one(socket);
    }
  }

  void answer_one(tcp::socket &socket) {
    namespace http = boost::beast::http;
    boost::beast::flat_buffer buffer;
    request asked;
    boost::system::error_code failed;
    http::read(socket, buffer, asked, failed);
    if (failed)
      return;
    note(asked);
    const auto reply = answers_(asked);
    std::ostringstream head;
    head << "HTTP/1.1 " << reply.status
         << " Scripted\r\nContent-Length: " << reply.body.size()
         << "\r\nConnection: close\r\n";
    for (const auto &[name, value] : reply.headers)
      head << name << ": " << value << "\r\n";
    const auto body =
        reply.body.substr(0, reply.cut_after.value_or(reply.body.size()));
    boost::asio::write(socket, boost::asio::buffer(head.str() + "\r\n" + body),
                       failed);
    socket.shutdown(tcp::socket::shutdown_both, failed);
  }

  void note(const request &asked) {
    auto line =
        std::string(asked.method_string()) + " " + std::string(asked.target());
    if (const auto range = asked["Range"]; !range.empty())
      line += " " + std::string(range);
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(line));
  }

  boost::asio::io_context context_{1};
  tcp::acceptor acceptor_{
      context_, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
  script answers_;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
  std::thread thread_;
};

/// The answer with `content`, or with the part of it that was asked for.
inline scripted_server::answer ranged(const scripted_server::request &asked,
                                      const std::string &content) {
  const std::string range(asked["Range"]);
  if (range.empty())
    return {.body = content};
  const auto from = std::stoul(range.substr(std::string("bytes=").size()));
  if (from >= content.size())
    return {.status = 416};
  return {.status = 206, .body = content.substr(from)};
}

} // namespace ganglion::testing

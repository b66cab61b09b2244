// The reply of one request on its connection: frames pieces and notices when
// the client is given up.
#pragma once

#include "apps/http/reply.hpp"
#include "apps/http/response_writer.hpp"

namespace ganglion::apps {

class http_session;

/// What a request allows its response to look like.
struct reply_form {
  bool keep_alive = true;
  bool chunks = true;     ///< false: HTTP/1.0
  bool head_only = false; ///< a HEAD request
};

/// Holds its session alive until the response is complete.
class http_exchange final : public http_reply,
                            public std::enable_shared_from_this<http_exchange> {
public:
  http_exchange(std::shared_ptr<http_session> session, std::string request_id,
                reply_form form)
      : session_(std::move(session)),
        request_id_(std::move(request_id)),
        form_(form) {}
  /// A request that nobody answers ends its connection.
  ~http_exchange() override;

  void send(http_response response) override;
  void begin(http_response head) override;
  void write(std::string_view piece) override;
  void end() override;
  void on_abandoned(std::function<void()> action) override {
    action_ = std::move(action);
  }

  /// The session gives the client up.
  void abandon();

private:
  void complete();

  std::shared_ptr<http_session> session_; ///< null once done
  std::string request_id_;
  reply_form form_;
  std::function<void()> action_;
};

} // namespace ganglion::apps

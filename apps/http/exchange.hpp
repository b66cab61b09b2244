// The reply of one request on its connection: frames pieces and notices when
// the client is given up.
#pragma once

#include "apps/http/reply.hpp"
#include "apps/http/response_writer.hpp"
#include "apps/http/service.hpp"

namespace ganglion::apps {

class http_session;

/// What a request allows its response to look like.
struct reply_form {
  bool keep_alive = true;
  bool chunks = true;     ///< false: HTTP/1.0
  bool head_only = false; ///< a HEAD request
  std::size_t client = 0; ///< the number of its key
};

/// Holds its session alive until the response is complete.
class http_exchange final : public http_reply,
                            public std::enable_shared_from_this<http_exchange> {
public:
  http_exchange(std::shared_ptr<http_session> session,
                const http_request &request, reply_form form);
  /// A request that nobody answers ends its connection.
  ~http_exchange() override;

  void send(http_response response) override;
  void begin(http_response response) override;
  void write(std::string_view piece) override;
  void end() override;
  std::size_t client() const override { return form_.client; }
  void note(std::string members) override { record_.notes = members; }
  void on_abandoned(std::function<void()> action) override {
    action_ = std::move(action);
  }

  /// The session gives the client up.
  void abandon();

private:
  std::string head(const http_response &response, body_framing framing);
  void complete();
  void tell();

  std::shared_ptr<http_session> session_; ///< null once done
  const http_service &service_;           ///< outlives all sessions
  time_point begun_;
  std::vector<http_header> extra_; ///< of its response
  http_record record_;
  reply_form form_;
  std::function<void()> action_;
};

} // namespace ganglion::apps

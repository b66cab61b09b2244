// One request being served: from the engine's events to the client's bytes.
#pragma once

#include "actors/engine.hpp"
#include "apps/http/reply.hpp"
#include "apps/lmi/event_channel.hpp"
#include "apps/lmi/lmi_error.hpp"
#include "apps/lmi/response_text.hpp"

namespace ganglion::apps {

/// Belongs to the server's thread. Lives as long as its channel is open.
class invocation_task : public std::enable_shared_from_this<invocation_task> {
public:
  invocation_task(engine &engine, std::string model, std::string request_id,
                  invocation call, std::shared_ptr<http_reply> reply)
      : engine_(engine),
        model_(std::move(model)),
        request_id_(std::move(request_id)),
        call_(std::move(call)),
        reply_(std::move(reply)) {}

  void start(const boost::asio::any_io_executor &executor);

private:
  void on_events(std::vector<generation_event> events);
  std::string take(generation_event &event);
  std::string finish(generation_event &event);
  void fail(const generation_event &event);
  void begin();
  void complete(std::string rest);
  void abandon();
  http_response head() const;

  engine &engine_;
  std::string model_, request_id_;
  invocation call_;
  std::shared_ptr<http_reply> reply_;
  std::shared_ptr<event_channel> channel_;
  request_id id_ = 0;
  generation_result result_;
  bool begun_ = false;
};

} // namespace ganglion::apps

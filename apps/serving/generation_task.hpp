// One request being served: from the engine's events to the client's bytes.
#pragma once

#include "actors/engine.hpp"
#include "apps/http/reply.hpp"
#include "apps/serving/event_channel.hpp"
#include "apps/serving/generation_answer.hpp"
#include "apps/serving/generation_record.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ganglion::apps {

/// Belongs to the server's thread. Lives as long as its channel is open.
class generation_task : public std::enable_shared_from_this<generation_task> {
public:
  generation_task(engine &engine, std::string request_id,
                  std::unique_ptr<generation_answer> answer,
                  std::shared_ptr<http_reply> reply)
      : engine_(engine),
        request_id_(std::move(request_id)),
        answer_(std::move(answer)),
        reply_(std::move(reply)) {}

  /// Submits the sequences of a call, at least one. The first that fails ends
  /// the others.
  void start(std::vector<generation_request> sequences,
             const boost::asio::any_io_executor &executor);

private:
  void on_events(std::vector<generation_event> events);
  std::size_t sequence_of(request_id id) const;
  void fail(const generation_event &event);
  void begin();
  void complete(std::string rest);
  void cancel();
  void abandon();

  engine &engine_;
  std::string request_id_;
  std::unique_ptr<generation_answer> answer_;
  std::shared_ptr<http_reply> reply_;
  std::shared_ptr<event_channel> channel_;
  std::vector<request_id> ids_; ///< by sequence
  std::size_t running_ = 0;
  bool begun_ = false;
  generation_record record_;
};

} // namespace ganglion::apps

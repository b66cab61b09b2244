// Running an engine in tests: configurations, and requests whose events are
// collected until the last one.
#pragma once

#include "actors/engine.hpp"
#include "actors/hosted_engine.hpp"
#include "runtime/json/reader.hpp"
#include "tests/fixtures.hpp"

#include <condition_variable>
#include <mutex>

namespace ganglion::testing {

inline engine_config story_config(std::int64_t tp_degree = 1) {
  engine_config c;
  c.model.model_id = stories260k();
  c.graph.tensor_parallel_degree = tp_degree;
  c.scheduling.max_rolling_batch_size = 8;
  return c;
}

/// Collects events; tests wait for the last.
class collector final : public event_sink {
public:
  bool push(generation_event event) override {
    const std::lock_guard lock(mutex_);
    for (const auto &t : event.tokens) {
      ids.push_back(t.id);
      logprobs.push_back(t.logprob);
      text += t.text;
    }
    text += event.text;
    ++events;
    last = event;
    ended = event.last();
    changed_.notify_all();
    return cancel_after == 0 || ids.size() < cancel_after;
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended; });
  }
  void wait_for_tokens(std::size_t n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended || ids.size() >= n; });
  }

  std::vector<std::int32_t> ids;
  std::vector<float> logprobs;
  std::string text;
  std::size_t events = 0, cancel_after = 0;
  generation_event last;
  bool ended = false;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

template <class Engine>
std::shared_ptr<collector> start(Engine &e, generation_request request,
                                 std::size_t cancel_after = 0) {
  auto c = std::make_shared<collector>();
  c->cancel_after = cancel_after;
  e.submit(std::move(request), std::static_pointer_cast<event_sink>(c));
  return c;
}

template <class Engine>
std::shared_ptr<collector> run(Engine &e, generation_request request) {
  auto c = start(e, std::move(request));
  c->wait();
  return c;
}

inline generation_request prompt_of(const std::string &text,
                                    std::int64_t max_new) {
  generation_request r;
  r.prompt = text;
  r.max_new_tokens = max_new;
  return r;
}

} // namespace ganglion::testing

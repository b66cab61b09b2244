#include "benchmarks/step/engine_run.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace ganglion::benchmarks {

namespace {

/// Stamps the arrival of every token.
class stamping_sink final : public event_sink {
public:
  explicit stamping_sink(std::size_t expected) { times.reserve(expected); }

  bool push(generation_event event) override {
    const time_point now = steady_clock().now();
    const std::lock_guard lock(mutex_);
    times.insert(times.end(), event.tokens.size(), now);
    if (event.last()) {
      last = std::move(event);
      ended_ = true;
      changed_.notify_all();
    }
    return true;
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
  }

  std::vector<time_point> times; ///< to be read after `wait`
  generation_event last;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

double nanoseconds(duration d) {
  return static_cast<double>(d / std::chrono::nanoseconds(1));
}

using sinks = std::vector<std::shared_ptr<stamping_sink>>;

/// Time per step between the last first token and the first last one; 0 when
/// the first request ended before the last one began.
double step_together(const sinks &all) {
  time_point begin = time_point::min(), end = time_point::max();
  for (const auto &s : all) {
    begin = std::max(begin, s->times.front());
    end = std::min(end, s->times.back());
  }
  double tokens = 0;
  for (const auto &s : all)
    tokens += static_cast<double>(std::ranges::count_if(
        s->times, [&](time_point t) { return t > begin && t <= end; }));
  if (tokens == 0)
    return 0;
  return nanoseconds(end - begin) / tokens * static_cast<double>(all.size());
}

engine_sample run_once(engine &e,
                       const std::vector<generation_request> &requests) {
  sinks all;
  const time_point start = steady_clock().now();
  for (const auto &r : requests) {
    all.push_back(std::make_shared<stamping_sink>(
        static_cast<std::size_t>(r.max_new_tokens)));
    e.submit(r, all.back());
  }
  for (const auto &s : all) {
    s->wait();
    if (s->last.failed)
      throw error(s->last.code, s->last.message, "step through the engine",
                  s->last.field);
  }
  return {nanoseconds(all[0]->times.front() - start), step_together(all)};
}

} // namespace

engine_sample run_together(engine &e,
                           const std::vector<generation_request> &requests) {
  // On a busy machine this thread may be held up between two submissions for
  // as long as a request takes.
  for (int tries = 0; tries < 100; ++tries)
    if (const auto sample = run_once(e, requests); sample.step > 0)
      return sample;
  throw error(error_code::internal, "no step had all requests in it",
              "step through the engine");
}

} // namespace ganglion::benchmarks

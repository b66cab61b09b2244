// A thread for work with text that takes its time (tokenising a long text,
// rendering a template), so that the server's own thread never waits for it.
#pragma once

#include "hlo/support/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <optional>

namespace ganglion::apps {

/// Belongs to the executor's thread.
class text_worker {
public:
  explicit text_worker(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)) {}
  /// Waits for the piece of work at hand; what waits is dropped.
  ~text_worker() {
    pool_.stop();
    pool_.join();
  }

  /// Runs `work` there, then `done` on the executor, or `failed` with the error
  /// that either of them threw. Throws `overloaded` when too much is waiting.
  template <class Result>
  void run(std::function<Result()> work, std::function<void(Result)> done,
           std::function<void(const error &)> failed) {
    if (waiting_ >= most_waiting)
      throw error(error_code::overloaded, "too many texts are waiting");
    ++waiting_;
    boost::asio::post(pool_, [this, work = std::move(work),
                              done = std::move(done),
                              failed = std::move(failed)]() mutable {
      std::optional<Result> result;
      std::optional<error> why;
      try {
        result.emplace(work());
      } catch (const error &e) {
        why.emplace(e);
      } catch (const std::exception &e) {
        why.emplace(error_code::internal, e.what());
      }
      boost::asio::post(executor_,
                        [this, result = std::move(result), why = std::move(why),
                         done = std::move(done),
                         failed = std::move(failed)]() mutable {
                          --waiting_;
                          if (!result)
                            return failed(*why);
                          try {
                            done(std::move(*result));
                          } catch (const error &e) {
                            failed(e);
                          }
                        });
    });
  }

private:
  static constexpr std::size_t most_waiting = 256;

  boost::asio::any_io_executor executor_;
  boost::asio::thread_pool pool_{1};
  std::size_t waiting_ = 0;
};

} // namespace ganglion::apps

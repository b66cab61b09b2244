#include "actors/row_runner.hpp"

#include <condition_variable>
#include <deque>
#include <exception>

namespace ganglion::actors {

namespace {

struct row_event {
  std::size_t row = 0;
  generation_event event;
};

/// Events of all rows of a call on their way to its thread.
class inbox {
public:
  void put(row_event e) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(e));
    filled_.notify_one();
  }
  row_event take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !events_.empty(); });
    auto e = std::move(events_.front());
    events_.pop_front();
    return e;
  }

private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<row_event> events_;
};

class row_sink final : public event_sink {
public:
  row_sink(std::shared_ptr<inbox> to, std::size_t row)
      : to_(std::move(to)),
        row_(row) {}
  bool push(generation_event event) override {
    const auto row = row_ + static_cast<std::size_t>(event.choice);
    to_->put({row, std::move(event)});
    return true;
  }

private:
  std::shared_ptr<inbox> to_;
  std::size_t row_;
};

} // namespace

/// The rows of one call: belongs to the thread that made it.
class row_runner::call {
public:
  call(row_runner &owner, const token_streamer &streamer)
      : owner_(owner),
        streamer_(streamer) {}
  call(const call &) = delete;
  call &operator=(const call &) = delete;

  void submit(std::vector<generation_request> requests) {
    for (auto &request : requests) {
      const std::size_t first = rows_.size();
      rows_.resize(first + static_cast<std::size_t>(request.n));
      const auto id = owner_.device_.submit(
          std::move(request), std::make_shared<row_sink>(events_, first));
      for (auto row = rows_.begin() + static_cast<std::ptrdiff_t>(first);
           row != rows_.end(); ++row)
        row->id = id;
      ++open_;
      const std::lock_guard lock(owner_.mutex_);
      owner_.under_way_.insert(id);
    }
  }

  std::vector<generated_row> wait() {
    while (open_ > 0) {
      const row_event next = events_->take();
      if (hear(rows_[next.row], next))
        --open_;
    }
    if (failure_)
      std::rethrow_exception(failure_);
    std::vector<generated_row> out;
    for (auto &row : rows_)
      out.push_back(std::move(row.result));
    return out;
  }

private:
  struct row_state {
    request_id id = 0;
    generated_row result;
    bool ended_here = false; ///< by the streamer, or as another row failed
  };

  /// Whether the request ended with this event.
  bool hear(row_state &row, const row_event &heard) {
    for (const auto &token : heard.event.tokens)
      take_token(row, heard.row, token.id);
    if (!heard.event.last())
      return false;
    {
      const std::lock_guard lock(owner_.mutex_);
      owner_.under_way_.erase(row.id);
    }
    row.result.logits = heard.event.logits;
    if (heard.event.failed)
      fail(std::make_exception_ptr(error(heard.event.code, heard.event.message,
                                         "row " + std::to_string(heard.row),
                                         heard.event.field)));
    else if (heard.event.finish == finish_reason::cancelled && !row.ended_here)
      fail(std::make_exception_ptr(
          error(error_code::cancelled, "the model was reset")));
    return true;
  }

  void take_token(row_state &row, std::size_t number, std::int32_t token) {
    if (row.ended_here)
      return;
    row.result.ids.push_back(token);
    if (!streamer_)
      return;
    try {
      if (!streamer_(number, token))
        end(row);
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void end(row_state &row) {
    row.ended_here = true;
    owner_.device_.cancel(row.id);
  }

  void fail(std::exception_ptr why) {
    if (failure_)
      return;
    failure_ = std::move(why);
    for (auto &row : rows_)
      end(row);
  }

  row_runner &owner_;
  const token_streamer &streamer_;
  std::shared_ptr<inbox> events_ = std::make_shared<inbox>();
  std::vector<row_state> rows_;
  std::size_t open_ = 0; ///< requests that have not ended
  std::exception_ptr failure_;
};

std::vector<generated_row> row_runner::run(std::vector<generation_request> rows,
                                           const token_streamer &streamer) {
  call one(*this, streamer);
  one.submit(std::move(rows));
  return one.wait();
}

void row_runner::cancel_all() {
  const std::lock_guard lock(mutex_);
  for (const request_id id : under_way_)
    device_.cancel(id);
}

void check_batch(std::size_t rows, std::int64_t copies,
                 std::int64_t batch_size) {
  const auto count = static_cast<std::int64_t>(rows);
  if (copies <= batch_size && count <= batch_size / copies)
    return;
  throw error(error_code::invalid_argument,
              std::to_string(count) + " rows" +
                  (copies > 1 ? ", " + std::to_string(copies) +
                                    " sequences each (num_return_sequences)"
                              : std::string()) +
                  "; the model is compiled for batch_size " +
                  std::to_string(batch_size),
              {}, "input_ids");
}

void check_room(const generation_request &request, std::size_t row,
                std::int64_t n_positions, const char *field) {
  const auto given = static_cast<std::int64_t>(request.prompt_ids.size());
  if (request.max_new_tokens <= n_positions - given)
    return;
  throw error(error_code::invalid_argument,
              "row " + std::to_string(row) + " has " + std::to_string(given) +
                  " tokens and " + std::to_string(request.max_new_tokens) +
                  " more were asked for; accepted: at most " +
                  std::to_string(n_positions) + " together (n_positions)",
              {}, field);
}

token_rows joined(const token_rows &inputs, std::vector<generated_row> results,
                  std::size_t copies, std::int32_t fill) {
  token_rows out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    out.push_back(inputs[i / copies]);
    out.back().insert(out.back().end(), results[i].ids.begin(),
                      results[i].ids.end());
  }
  const auto width = static_cast<std::size_t>(runtime::longest_row(out));
  for (auto &row : out)
    row.resize(width, fill);
  return out;
}

} // namespace ganglion::actors

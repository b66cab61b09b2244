// One request for each row of a batch, waited for on the calling thread.
#pragma once

#include "actors/auto_model.hpp"

#include <mutex>
#include <set>

namespace ganglion::actors {

/// Any number of threads may call at once.
class row_runner {
public:
  explicit row_runner(ganglion::engine &device) : device_(device) {}

  /// Submits all rows and blocks until the last of them ends; none is left
  /// running, whatever is thrown. A request for several choices has as many
  /// results, one after another.
  std::vector<generated_row> run(std::vector<generation_request> rows,
                                 const token_streamer &streamer);

  /// Cancels the rows of all calls under way; those calls throw.
  void cancel_all();

private:
  class call;

  ganglion::engine &device_;
  std::mutex mutex_;
  std::set<request_id> under_way_;
};

/// Throws `invalid_argument` when `rows`, each `copies` times, are more than
/// `batch_size`.
void check_batch(std::size_t rows, std::int64_t copies,
                 std::int64_t batch_size);

/// Throws `invalid_argument` naming `field` when row `row` cannot get all the
/// new tokens it asks for within `n_positions`.
void check_room(const generation_request &request, std::size_t row,
                std::int64_t n_positions, const char *field);

/// The given rows with their new tokens behind them, filled with `fill` to one
/// length. Row i of `inputs` comes before each of the `copies` results that
/// start at i * `copies`.
token_rows joined(const token_rows &inputs, std::vector<generated_row> results,
                  std::size_t copies, std::int32_t fill);

} // namespace ganglion::actors

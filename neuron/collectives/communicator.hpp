// What ranks reduce and gather through: the interface that shared memory and
// actor messages both implement, with the same bits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ganglion::neuron {

enum class collective_kind : std::uint8_t {
  all_reduce,
  all_gather,
  all_to_all,
  reduce_scatter,
};

/// Ranks must agree on all of it; a disagreement aborts the step.
struct collective_tag {
  std::uint64_t sequence = 0;
  collective_kind kind = collective_kind::all_reduce;
  std::uint64_t count = 0; ///< floats each rank brings

  friend bool operator==(const collective_tag &,
                         const collective_tag &) = default;
};

enum class collective_status : std::uint8_t {
  ok,
  aborted,    ///< somebody called abort: a rank is lost or cancelled
  mismatched, ///< ranks disagree on (sequence, kind, count)
  timed_out,  ///< a rank did not arrive within the stall limit
};

const char *to_string(collective_status status);

/// Counters readable from any thread while ranks work.
struct collective_statistics {
  std::atomic<std::uint64_t> all_reduces{0};
  std::atomic<std::uint64_t> all_gathers{0}; ///< the other kinds included
  std::atomic<std::uint64_t> floats{0};
  std::atomic<std::uint64_t> parks{0};
};

/// What a rank takes of the [rows, n] that each member of its group brings.
struct column_pick {
  std::span<const int> members; ///< ranks in order, the taker among them
  std::int64_t first = 0;       ///< column
  std::int64_t count = 0;       ///< columns, the same for all takers
  bool summed = false;          ///< added in order, instead of side by side

  /// Columns of the result.
  std::int64_t width() const {
    return summed ? count : count * static_cast<std::int64_t>(members.size());
  }
};

/// One group's collectives. Every rank calls the same operations in the same
/// order from its own thread. Does not throw; after a status other than ok
/// all further calls fail with it until the communicator is replaced.
class communicator {
public:
  explicit communicator(int ranks);
  virtual ~communicator() = default;

  int ranks() const { return static_cast<int>(everybody_.size()); }

  /// out[i] = sum over ranks of in[i], added in rank order in f32. `in` and
  /// `out` do not overlap.
  virtual collective_status all_reduce(int rank, std::uint64_t sequence,
                                       std::span<const float> in,
                                       std::span<float> out) = 0;

  /// All-gather, all-to-all and reduce-scatter along the columns: `in` is
  /// [rows, n], `out` is [rows, pick.width()]. Ranks of all groups meet, each
  /// takes from the members of its own.
  virtual collective_status
  take_columns(int rank, std::uint64_t sequence, collective_kind kind,
               std::int64_t rows, std::span<const float> in,
               const column_pick &pick, std::span<float> out) = 0;

  /// `in` is [rows, n], `out` is [rows, ranks * n] in rank order.
  collective_status all_gather(int rank, std::uint64_t sequence,
                               std::int64_t rows, std::span<const float> in,
                               std::span<float> out);

  /// Makes every present and future call return `aborted`. Any thread.
  virtual void abort() = 0;

  virtual const collective_statistics &statistics() const = 0;

private:
  std::vector<int> everybody_; ///< all ranks
};

/// Puts the part of the pick's member number `member`, [rows, n], where it
/// belongs in `out`; members come in order.
void take_part(std::span<const float> part, std::size_t member,
               const column_pick &pick, std::int64_t rows,
               std::span<float> out);

} // namespace ganglion::neuron

// Collectives among ranks of one process over shared memory: partials are
// posted by pointer and reduced in rank order by the last to arrive.
#pragma once

#include "hlo/support/clock.hpp"
#include "neuron/collectives/communicator.hpp"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace ganglion::neuron {

/// How a rank waits for the others.
struct wait_policy {
  int spins = 0;   ///< pauses before yielding; only with a core per rank
  int yields = 20; ///< sched_yield calls before parking
  duration stall_limit = std::chrono::seconds(30);
};

class lease_communicator final : public communicator {
public:
  /// `capacity`: the most floats a rank ever brings to an all-reduce. `time`
  /// must outlive the communicator.
  lease_communicator(int ranks, std::size_t capacity, wait_policy policy,
                     const clock &time);

  collective_status all_reduce(int rank, std::uint64_t sequence,
                               std::span<const float> in,
                               std::span<float> out) override;
  collective_status take_columns(int rank, std::uint64_t sequence,
                                 collective_kind kind, std::int64_t rows,
                                 std::span<const float> in,
                                 const column_pick &pick,
                                 std::span<float> out) override;
  void abort() override { fail(collective_status::aborted); }
  const collective_statistics &statistics() const override {
    return statistics_;
  }

private:
  struct alignas(64) posted {
    collective_tag tag;
    const float *data = nullptr;
  };

  /// Posts what the rank brings, once the others cannot be reading the last.
  void post(int rank, const collective_tag &tag, const float *data);
  /// Meets the others; the last to arrive runs `finish` before anybody leaves.
  /// False when the group failed first: then `finish` did not and will not
  /// run.
  template <class Finish>
  bool meet(Finish finish);
  bool all_agree() const;
  void sum_into(std::span<float> result) const;
  bool wait_for(std::uint64_t meeting);
  void park(std::uint64_t meeting);
  bool leave(std::uint64_t meeting) const;
  void open(std::uint64_t meeting);
  /// Waits, failure or not, until every rank has read what the others posted.
  void depart();
  void fail(collective_status why);
  collective_status status() const {
    return static_cast<collective_status>(
        failed_.load(std::memory_order_acquire));
  }

  wait_policy policy_;
  const clock &time_;
  std::vector<posted> posts_;
  /// Two results in turn: a rank may still copy one while the next is made.
  std::vector<float> results_[2];
  /// Arrivals since the beginning: arrival n belongs to meeting n / ranks.
  alignas(64) std::atomic<std::uint64_t> arrived_{0};
  alignas(64) std::atomic<std::uint64_t> finished_{0}; ///< meetings
  alignas(64) std::atomic<int> departing_{0};
  std::atomic<unsigned> departures_{0};
  std::atomic<std::uint8_t> failed_{0};
  std::atomic<bool> disagreed_{false}; ///< ranks brought different tags
  std::atomic<int> parked_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  collective_statistics statistics_;
};

} // namespace ganglion::neuron

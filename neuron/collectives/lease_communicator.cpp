#include "neuron/collectives/lease_communicator.hpp"

#include <algorithm>
#include <thread>

namespace ganglion::neuron {

lease_communicator::lease_communicator(int ranks, std::size_t capacity,
                                       wait_policy policy, const clock &time)
    : ranks_(ranks),
      policy_(policy),
      time_(time),
      posts_(ranks) {
  for (auto &result : results_)
    result.resize(capacity);
}

template <class Finish>
collective_status lease_communicator::meet(int rank, const collective_tag &tag,
                                           const float *data, Finish finish) {
  if (const auto s = status(); s != collective_status::ok)
    return s;
  posts_[rank].tag = tag;
  posts_[rank].data = data;
  const auto mine = generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < ranks_)
    return wait_for(mine);
  if (!all_agree()) {
    fail(collective_status::mismatched);
    return collective_status::mismatched;
  }
  finish();
  arrived_.store(0, std::memory_order_relaxed);
  open(mine);
  return status();
}

bool lease_communicator::all_agree() const {
  return std::all_of(posts_.begin(), posts_.end(),
                     [&](const posted &p) { return p.tag == posts_[0].tag; });
}

void lease_communicator::sum_into(std::span<float> result) const {
  std::copy_n(posts_[0].data, result.size(), result.data());
  for (int r = 1; r < ranks_; ++r) {
    const float *part = posts_[r].data;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += part[i];
  }
}

collective_status lease_communicator::all_reduce(int rank,
                                                 std::uint64_t sequence,
                                                 std::span<const float> in,
                                                 std::span<float> out) {
  auto &result = results_[generation_.load(std::memory_order_acquire) & 1];
  const auto status = meet(
      rank, {sequence, collective_kind::all_reduce, in.size()}, in.data(), [&] {
        sum_into({result.data(), in.size()});
        statistics_.all_reduces.fetch_add(1, std::memory_order_relaxed);
        statistics_.floats.fetch_add(in.size(), std::memory_order_relaxed);
      });
  if (status == collective_status::ok)
    std::copy_n(result.data(), in.size(), out.data());
  return status;
}

collective_status lease_communicator::all_gather(int rank,
                                                 std::uint64_t sequence,
                                                 std::int64_t rows,
                                                 std::span<const float> in,
                                                 std::span<float> out) {
  const collective_tag tag{sequence, collective_kind::all_gather, in.size()};
  auto status = meet(rank, tag, in.data(), [&] {
    statistics_.all_gathers.fetch_add(1, std::memory_order_relaxed);
    statistics_.floats.fetch_add(in.size(), std::memory_order_relaxed);
  });
  if (status != collective_status::ok)
    return status;
  for (int r = 0; r < ranks_; ++r)
    place_columns({posts_[r].data, in.size()}, r, ranks_, rows, out);
  // Nobody may reuse its part before all have read it.
  return meet(rank, tag, in.data(), [] {});
}

collective_status lease_communicator::wait_for(std::uint64_t generation) {
  const auto passed = [&] {
    return generation_.load(std::memory_order_acquire) != generation;
  };
  for (int i = 0; i < policy_.spins; ++i) {
    if (passed())
      return status();
    __builtin_ia32_pause();
  }
  for (int i = 0; i < policy_.yields; ++i) {
    if (passed())
      return status();
    std::this_thread::yield();
  }
  return park(generation);
}

collective_status lease_communicator::park(std::uint64_t generation) {
  // Real time between looks at the injected clock.
  constexpr auto look = std::chrono::milliseconds(20);
  statistics_.parks.fetch_add(1, std::memory_order_relaxed);
  const auto start = time_.now();
  std::unique_lock lock(mutex_);
  parked_.fetch_add(1, std::memory_order_seq_cst);
  while (generation_.load(std::memory_order_seq_cst) == generation &&
         status() == collective_status::ok) {
    wake_.wait_for(lock, look);
    if (time_.now() - start > policy_.stall_limit) {
      lock.unlock();
      fail(collective_status::timed_out);
      lock.lock();
    }
  }
  parked_.fetch_sub(1, std::memory_order_relaxed);
  return status();
}

void lease_communicator::open(std::uint64_t generation) {
  generation_.store(generation + 1, std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_seq_cst) > 0) {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
}

void lease_communicator::fail(collective_status why) {
  std::uint8_t none = 0;
  failed_.compare_exchange_strong(none, static_cast<std::uint8_t>(why),
                                  std::memory_order_acq_rel);
  // Move the generation so that spinning ranks look at the status.
  generation_.fetch_add(1, std::memory_order_seq_cst);
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

} // namespace ganglion::neuron

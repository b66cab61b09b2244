#include "neuron/collectives/lease_communicator.hpp"

#include <algorithm>
#include <thread>

namespace ganglion::neuron {

namespace {

/// Set in the count of arrivals by a failure: the same atomic word decides
/// whether the last rank came before it.
constexpr std::uint64_t closed = std::uint64_t{1} << 63;

} // namespace

lease_communicator::lease_communicator(int ranks, std::size_t capacity,
                                       wait_policy policy, const clock &time)
    : communicator(ranks),
      policy_(policy),
      time_(time),
      posts_(ranks) {
  for (auto &result : results_)
    result.resize(capacity);
}

void lease_communicator::post(int rank, const collective_tag &tag,
                              const float *data) {
  posts_[rank].tag = tag;
  posts_[rank].data = data;
}

template <class Finish>
bool lease_communicator::meet(Finish finish) {
  const auto before = arrived_.fetch_add(1, std::memory_order_acq_rel);
  if (before & closed) {
    arrived_.fetch_sub(1, std::memory_order_acq_rel);
    return false;
  }
  const auto group = static_cast<std::uint64_t>(ranks());
  const std::uint64_t meeting = before / group;
  if ((before + 1) % group != 0)
    return wait_for(meeting);
  const bool agreed = all_agree();
  if (agreed) {
    finish();
  } else {
    disagreed_.store(true, std::memory_order_relaxed); // published by open
    fail(collective_status::mismatched);
  }
  open(meeting);
  return agreed;
}

bool lease_communicator::all_agree() const {
  return std::all_of(posts_.begin(), posts_.end(),
                     [&](const posted &p) { return p.tag == posts_[0].tag; });
}

void lease_communicator::sum_into(std::span<float> result) const {
  std::copy_n(posts_[0].data, result.size(), result.data());
  for (int r = 1; r < ranks(); ++r) {
    const float *part = posts_[r].data;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += part[i];
  }
}

collective_status lease_communicator::all_reduce(int rank,
                                                 std::uint64_t sequence,
                                                 std::span<const float> in,
                                                 std::span<float> out) {
  if (const auto s = status(); s != collective_status::ok)
    return s;
  auto &result = results_[finished_.load(std::memory_order_acquire) & 1];
  post(rank, {sequence, collective_kind::all_reduce, in.size()}, in.data());
  const bool met = meet([&] {
    sum_into({result.data(), in.size()});
    statistics_.all_reduces.fetch_add(1, std::memory_order_relaxed);
    statistics_.floats.fetch_add(in.size(), std::memory_order_relaxed);
  });
  if (met)
    std::copy_n(result.data(), in.size(), out.data());
  return status();
}

collective_status lease_communicator::take_columns(
    int rank, std::uint64_t sequence, collective_kind kind, std::int64_t rows,
    std::span<const float> in, const column_pick &pick, std::span<float> out) {
  if (const auto s = status(); s != collective_status::ok)
    return s;
  post(rank, {sequence, kind, in.size()}, in.data());
  const bool met = meet([&] {
    statistics_.all_gathers.fetch_add(1, std::memory_order_relaxed);
    statistics_.floats.fetch_add(in.size(), std::memory_order_relaxed);
  });
  if (!met)
    return status();
  for (std::size_t m = 0; m < pick.members.size(); ++m)
    take_part({posts_[pick.members[m]].data, in.size()}, m, pick, rows, out);
  depart();
  return status();
}

bool lease_communicator::wait_for(std::uint64_t meeting) {
  const auto passed = [&] {
    return finished_.load(std::memory_order_acquire) > meeting ||
           status() != collective_status::ok;
  };
  for (int i = 0; i < policy_.spins; ++i) {
    if (passed())
      return leave(meeting);
    __builtin_ia32_pause();
  }
  for (int i = 0; i < policy_.yields; ++i) {
    if (passed())
      return leave(meeting);
    std::this_thread::yield();
  }
  park(meeting);
  return leave(meeting);
}

void lease_communicator::park(std::uint64_t meeting) {
  // Real time between looks at the injected clock.
  constexpr auto look = std::chrono::milliseconds(20);
  const auto start = time_.now();
  statistics_.parks.fetch_add(1, std::memory_order_release);
  std::unique_lock lock(mutex_);
  parked_.fetch_add(1, std::memory_order_seq_cst);
  while (finished_.load(std::memory_order_seq_cst) <= meeting &&
         status() == collective_status::ok) {
    wake_.wait_for(lock, look);
    if (time_.now() - start > policy_.stall_limit) {
      lock.unlock();
      fail(collective_status::timed_out);
      lock.lock();
    }
  }
  parked_.fetch_sub(1, std::memory_order_relaxed);
}

/// A failure may come while the last rank reads what the others posted: they
/// stay until it is done.
bool lease_communicator::leave(std::uint64_t meeting) const {
  const auto everybody = (meeting + 1) * static_cast<std::uint64_t>(ranks());
  for (;;) {
    // A disagreement ends the last meeting there is, so this is the one.
    if (finished_.load(std::memory_order_acquire) > meeting)
      return !disagreed_.load(std::memory_order_relaxed);
    const auto arrived = arrived_.load(std::memory_order_acquire) & ~closed;
    if (arrived < everybody)
      return false;
    std::this_thread::yield();
  }
}

void lease_communicator::open(std::uint64_t meeting) {
  finished_.store(meeting + 1, std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_seq_cst) > 0) {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
}

void lease_communicator::depart() {
  const unsigned mine = departures_.load(std::memory_order_acquire);
  if (departing_.fetch_add(1, std::memory_order_acq_rel) + 1 == ranks()) {
    departing_.store(0, std::memory_order_relaxed);
    departures_.fetch_add(1, std::memory_order_release);
    departures_.notify_all();
    return;
  }
  for (int i = 0; i < policy_.spins + policy_.yields; ++i) {
    if (departures_.load(std::memory_order_acquire) != mine)
      return;
    if (i < policy_.spins)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }
  departures_.wait(mine, std::memory_order_acquire);
}

void lease_communicator::fail(collective_status why) {
  arrived_.fetch_or(closed, std::memory_order_acq_rel);
  std::uint8_t none = 0;
  failed_.compare_exchange_strong(none, static_cast<std::uint8_t>(why),
                                  std::memory_order_acq_rel);
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

} // namespace ganglion::neuron

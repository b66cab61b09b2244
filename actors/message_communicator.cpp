#include "actors/message_communicator.hpp"

#include <algorithm>

namespace ganglion::actors {

using neuron::collective_kind;
using neuron::collective_status;
using neuron::collective_tag;

message_communicator::message_communicator(rt::actor_system &system,
                                           rt::actor collectives,
                                           std::uint64_t epoch, int ranks,
                                           std::shared_ptr<const clock> time,
                                           duration stall_limit)
    : communicator(ranks),
      system_(system),
      collectives_(std::move(collectives)),
      epoch_(epoch),
      time_(std::move(time)),
      stall_limit_(stall_limit),
      waiters_(static_cast<std::size_t>(ranks)) {}

message_communicator::~message_communicator() = default;

collective_status message_communicator::all_reduce(int rank,
                                                   std::uint64_t sequence,
                                                   std::span<const float> in,
                                                   std::span<float> out) {
  std::shared_ptr<const std::vector<float>> sum;
  const auto status = exchange(
      rank, {sequence, collective_kind::all_reduce, in.size()}, in, sum);
  if (status == collective_status::ok)
    std::copy(sum->begin(), sum->end(), out.begin());
  return status;
}

collective_status message_communicator::take_columns(
    int rank, std::uint64_t sequence, collective_kind kind, std::int64_t rows,
    std::span<const float> in, const neuron::column_pick &pick,
    std::span<float> out) {
  std::shared_ptr<const std::vector<float>> parts;
  const auto status = exchange(rank, {sequence, kind, in.size()}, in, parts);
  if (status != collective_status::ok)
    return status;
  for (std::size_t m = 0; m < pick.members.size(); ++m) {
    const auto from = static_cast<std::size_t>(pick.members[m]) * in.size();
    neuron::take_part({parts->data() + from, in.size()}, m, pick, rows, out);
  }
  return status;
}

collective_status
message_communicator::exchange(int rank, const collective_tag &tag,
                               std::span<const float> in,
                               std::shared_ptr<const std::vector<float>> &out) {
  // Real time between looks at the abort flag and the injected clock.
  constexpr auto look = std::chrono::milliseconds(20);
  if (aborted_.load(std::memory_order_acquire))
    return collective_status::aborted;
  auto &waiter = waiters_[static_cast<std::size_t>(rank)];
  if (!waiter)
    waiter = std::make_unique<caf::scoped_actor>(system_);
  caf::scoped_actor &self = *waiter;
  rt::send(&*self, collectives_,
           contribution{
               epoch_, rank, tag,
               std::make_shared<const std::vector<float>>(in.begin(), in.end()),
               caf::actor_cast<rt::actor>(self.address())});
  const auto start = time_->now();
  for (;;) {
    auto status = collective_status::ok;
    bool answered = false;
    self->receive(
        [&](const combined &m) {
          answered =
              m.sequence == tag.sequence || m.status != collective_status::ok;
          status = m.status;
          out = m.data;
        },
        caf::after(look) >> [] {});
    if (answered)
      return status;
    if (aborted_.load(std::memory_order_acquire))
      return collective_status::aborted;
    if (time_->now() - start > stall_limit_) {
      abort();
      return collective_status::timed_out;
    }
  }
}

} // namespace ganglion::actors

// Collectives by actor messages: a rank sends its part to the collectives actor
// and waits for the combination. The reference for the shared-memory way, and
// the seam for ranks in other processes.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/messages.hpp"
#include "hlo/support/clock.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace ganglion::actors {

/// Each rank calls from its own thread and waits on a scoped actor of its own.
class message_communicator final : public neuron::communicator {
public:
  /// `collectives` receives the parts; `stall_limit` bounds every wait on
  /// `time`.
  message_communicator(rt::actor_system &system, rt::actor collectives,
                       std::uint64_t epoch, int ranks,
                       std::shared_ptr<const clock> time, duration stall_limit);
  ~message_communicator() override;

  neuron::collective_status all_reduce(int rank, std::uint64_t sequence,
                                       std::span<const float> in,
                                       std::span<float> out) override;
  neuron::collective_status
  take_columns(int rank, std::uint64_t sequence, neuron::collective_kind kind,
               std::int64_t rows, std::span<const float> in,
               const neuron::column_pick &pick, std::span<float> out) override;
  void abort() override { aborted_.store(true, std::memory_order_release); }
  const neuron::collective_statistics &statistics() const override {
    return statistics_;
  }
  /// The collectives actor counts what it combines.
  neuron::collective_statistics &counters() { return statistics_; }

private:
  /// Sends the part of `rank` and waits for the combination.
  neuron::collective_status
  exchange(int rank, const neuron::collective_tag &tag,
           std::span<const float> in,
           std::shared_ptr<const std::vector<float>> &out);

  rt::actor_system &system_;
  rt::actor collectives_;
  std::uint64_t epoch_;
  std::shared_ptr<const clock> time_;
  duration stall_limit_;
  std::atomic<bool> aborted_{false};
  std::vector<std::unique_ptr<caf::scoped_actor>> waiters_;
  neuron::collective_statistics statistics_;
};

} // namespace ganglion::actors

// The threads of one rank: persistent, statically partitioned, spinning inside
// a step and parked between steps.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace ganglion::neuron {

/// A fixed group of threads that run one function together. The thread that
/// calls `run` is member 0; only one thread may call it at a time.
class thread_team {
public:
  /// `size` members. `cpus`, when not empty, pins member i >= 1 to cpus[i];
  /// `spin` says that every member has a core of its own.
  explicit thread_team(int size, std::vector<int> cpus = {}, bool spin = true);
  ~thread_team();
  thread_team(const thread_team &) = delete;
  thread_team &operator=(const thread_team &) = delete;

  int size() const { return size_; }

  /// Runs work(member) on every member and returns when all are done. `work`
  /// must not throw.
  void run(const std::function<void(int)> &work);

  /// Called by every member inside `run`: nobody passes before all arrived.
  void barrier();

private:
  void member_loop(int member, int cpu);

  int size_;
  bool spin_;
  std::vector<std::thread> threads_;
  const std::function<void(int)> *work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> running_{0};
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> generation_{0};
  std::atomic<bool> stopping_{false};
};

/// Pins the calling thread to one CPU; quietly does nothing where the kernel
/// forbids it, since placement is only a matter of speed.
void pin_to(int cpu);

/// The CPUs this process may use: its affinity mask, cut to the whole cores of
/// its cgroup quota.
std::vector<int> allowed_cpus();

} // namespace ganglion::neuron

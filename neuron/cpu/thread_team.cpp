#include "neuron/cpu/thread_team.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <sched.h>

namespace ganglion::neuron {

namespace {

/// About 20 us of pauses before giving the core away.
constexpr int spins_before_yield = 2000;

template <class Done>
void wait_until(bool spin, Done done) {
  for (int i = 0; spin && i < spins_before_yield; ++i) {
    if (done())
      return;
    __builtin_ia32_pause();
  }
  while (!done())
    std::this_thread::yield();
}

} // namespace

thread_team::thread_team(int size, std::vector<int> cpus, bool spin)
    : size_(size),
      spin_(spin) {
  for (int member = 1; member < size; ++member) {
    const int cpu = member < static_cast<int>(cpus.size()) ? cpus[member] : -1;
    threads_.emplace_back([this, member, cpu] { member_loop(member, cpu); });
  }
}

thread_team::~thread_team() {
  stopping_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (auto &t : threads_)
    t.join();
}

void thread_team::run(const std::function<void(int)> &work) {
  if (size_ == 1) {
    work(0);
    return;
  }
  work_ = &work;
  running_.store(size_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work(0);
  wait_until(spin_,
             [this] { return running_.load(std::memory_order_acquire) == 0; });
}

void thread_team::barrier() {
  if (size_ == 1)
    return;
  const unsigned mine = generation_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    return;
  }
  wait_until(spin_, [this, mine] {
    return generation_.load(std::memory_order_acquire) != mine;
  });
}

void thread_team::member_loop(int member, int cpu) {
  if (cpu >= 0)
    pin_to(cpu);
  unsigned seen = 0;
  for (;;) {
    // Steps follow each other closely under load: look a little before
    // parking, so that the next one starts without a wake-up.
    for (int i = 0; spin_ && i < spins_before_yield &&
                    round_.load(std::memory_order_acquire) == seen;
         ++i)
      __builtin_ia32_pause();
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_relaxed))
      return;
    (*work_)(member);
    running_.fetch_sub(1, std::memory_order_release);
  }
}

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

namespace {

/// Whole cores of the cgroup v2 quota, or a large number without one.
int quota_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0)
    return 1 << 20;
  return std::max(1, static_cast<int>(std::lround(std::stod(quota) / period)));
}

} // namespace

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set))
        cpus.push_back(cpu);
  if (cpus.empty())
    cpus.push_back(0);
  if (const int quota = quota_cores(); quota < static_cast<int>(cpus.size()))
    cpus.resize(static_cast<std::size_t>(quota));
  return cpus;
}

} // namespace ganglion::neuron

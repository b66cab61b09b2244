#include "benchmarks/roofline/roofline.hpp"

#include "benchmarks/machine/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace ganglion::benchmarks {

namespace {

double now() {
  return static_cast<double>(
      std::chrono::steady_clock::now().time_since_epoch() /
      std::chrono::nanoseconds(1));
}

constexpr std::size_t step_bytes = 512;

/// The part of `total` that one of `threads` reads.
std::size_t part_of(std::size_t total, int threads) {
  const auto part = total / static_cast<std::size_t>(threads);
  return std::max(part / step_bytes * step_bytes, step_bytes);
}

} // namespace

double time_together(int threads, const std::function<void(int)> &work) {
  std::vector<double> starts(static_cast<std::size_t>(threads)), ends(starts);
  // A thread of its own, so that pinning ends with it.
  std::thread([&] {
    auto cpus = neuron::allowed_cpus();
    const bool exclusive = threads <= static_cast<int>(cpus.size());
    if (!exclusive)
      cpus.clear();
    neuron::thread_team team(threads, cpus, exclusive);
    if (exclusive)
      neuron::pin_to(cpus[0]);
    team.run([&](int member) {
      const auto i = static_cast<std::size_t>(member);
      team.barrier();
      starts[i] = now();
      work(member);
      ends[i] = now();
    });
  }).join();
  return *std::ranges::max_element(ends) - *std::ranges::min_element(starts);
}

double measure_peak(const peak_kernel &kernel, int threads) {
  // About 10 ms at one iteration in 8 ns.
  constexpr std::int64_t iterations = 1'250'000;
  const double nanoseconds =
      time_together(threads, [&](int) { kernel.run(iterations); });
  return kernel.operations * static_cast<double>(iterations) * threads /
         nanoseconds * 1e9;
}

read_probe::read_probe(const probe_kernels &kernels, int threads,
                       std::size_t total)
    : kernels_(kernels),
      buffers_(static_cast<std::size_t>(threads)) {
  time_together(threads, [&](int member) {
    aligned_buffer &mine = buffers_[static_cast<std::size_t>(member)];
    mine = aligned_buffer(part_of(total, threads));
    std::memset(mine.data(), member + 1, mine.size());
  });
}

double read_probe::measure(std::size_t total) const {
  constexpr std::size_t enough = 256u << 20;
  const std::size_t part =
      std::min(part_of(total, threads()), buffers_[0].size());
  const std::size_t rounds =
      std::max<std::size_t>(1, enough / (part * buffers_.size()));
  const double nanoseconds = time_together(threads(), [&](int member) {
    const auto &mine = buffers_[static_cast<std::size_t>(member)];
    for (std::size_t r = 0; r < rounds; ++r)
      kernels_.read(mine.data(), part);
  });
  return static_cast<double>(part * buffers_.size() * rounds) / nanoseconds *
         1e9;
}

std::size_t dram_probe_bytes() {
  constexpr std::size_t least = 256u << 20, most = 1u << 30;
  const std::size_t wanted =
      std::clamp(16 * read_cache_sizes().l3, least, most);
  return std::min(wanted, memory_available() / 4);
}

} // namespace ganglion::benchmarks

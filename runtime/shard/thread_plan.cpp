#include "runtime/shard/thread_plan.hpp"

#include <algorithm>

namespace ganglion::runtime {

std::int64_t threads_for(std::int64_t configured, std::int64_t ranks,
                         std::size_t weight_bytes_per_rank) {
  // Measured: a decode step of a 1 MB model takes 20 us on one thread and
  // 15 us on two, less of a gain than waking the second one may cost.
  constexpr std::size_t small_model = std::size_t{4} << 20;
  if (configured > 0)
    return configured;
  return weight_bytes_per_rank < small_model ? ranks : 0;
}

thread_plan plan_threads(std::int64_t ranks, std::int64_t threads,
                         std::vector<int> allowed_cpus,
                         std::int64_t most_per_rank) {
  thread_plan plan;
  const auto cpus = static_cast<std::int64_t>(allowed_cpus.size());
  std::int64_t wanted = threads > 0 ? threads : cpus;
  if (threads == 0 && most_per_rank > 0)
    wanted = std::min(wanted, ranks * most_per_rank);
  plan.threads_per_rank =
      static_cast<int>(std::max<std::int64_t>(1, wanted / ranks));
  plan.exclusive = ranks * plan.threads_per_rank <= cpus;
  plan.cpus = std::move(allowed_cpus);
  return plan;
}

std::vector<int> cpus_of_cores(const std::vector<std::int64_t> &visible,
                               std::int64_t cores,
                               const std::vector<int> &allowed_cpus) {
  if (visible.empty())
    return allowed_cpus;
  const auto cpus = static_cast<std::int64_t>(allowed_cpus.size());
  std::vector<int> out;
  for (const auto core : visible) {
    const auto first = core * cpus / cores;
    const auto end = std::max(first + 1, (core + 1) * cpus / cores);
    for (auto i = first; i < end; ++i)
      if (const int cpu = allowed_cpus[static_cast<std::size_t>(i)];
          out.empty() || out.back() != cpu)
        out.push_back(cpu);
  }
  return out;
}

std::vector<int> thread_plan::cpus_of(std::int64_t rank) const {
  if (!exclusive)
    return {};
  const auto first = cpus.begin() + rank * threads_per_rank;
  return {first, first + threads_per_rank};
}

std::string thread_plan::describe(std::int64_t ranks) const {
  return std::to_string(ranks) + " rank" + (ranks == 1 ? "" : "s") + " of " +
         std::to_string(threads_per_rank) + " thread" +
         (threads_per_rank == 1 ? "" : "s") + " on " +
         std::to_string(cpus.size()) + " CPUs, " +
         (exclusive ? "pinned, spinning inside a step"
                    : "sharing cores, yielding then parking");
}

} // namespace ganglion::runtime

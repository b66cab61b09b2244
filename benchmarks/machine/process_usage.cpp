#include "benchmarks/machine/process_usage.hpp"

#include "hlo/support/error.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace ganglion::benchmarks {

namespace {

void add_switches(const std::filesystem::path &task, process_usage &sum) {
  std::ifstream file(task / "status");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("voluntary_ctxt_switches"))
      sum.voluntary_switches += std::stoll(line.substr(colon + 1));
    else if (line.starts_with("nonvoluntary_ctxt_switches"))
      sum.involuntary_switches += std::stoll(line.substr(colon + 1));
  }
}

} // namespace

process_usage usage_of(std::int64_t pid) {
  const std::string name = pid == 0 ? "self" : std::to_string(pid);
  std::error_code status;
  std::filesystem::directory_iterator tasks("/proc/" + name + "/task", status);
  if (status)
    throw error(error_code::not_found, "there is no process " + name, "/proc",
                "pid");
  process_usage sum;
  for (const auto &task : tasks) {
    // Nanoseconds on a CPU come first; /proc/PID/stat counts 10 ms ticks.
    std::int64_t on_cpu = 0;
    if (std::ifstream(task.path() / "schedstat") >> on_cpu) {
      sum.cpu_nanoseconds += on_cpu;
      ++sum.threads;
    }
    add_switches(task.path(), sum);
  }
  return sum;
}

} // namespace ganglion::benchmarks

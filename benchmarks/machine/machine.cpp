#include "benchmarks/machine/machine.hpp"

#include "neuron/core.hpp"
#include "neuron/cpu/isa.hpp"
#include "neuron/cpu/thread_team.hpp"

#include <fstream>
#include <sstream>

namespace ganglion::benchmarks {

namespace {

std::string first_line(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The text behind the first "name : " of a file like /proc/cpuinfo.
std::string entry_of(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos ||
        line.substr(0, line.find_last_not_of(" \t:", colon) + 1) != name)
      continue;
    const auto begin = line.find_first_not_of(' ', colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

/// "48K", "32M" or "32768" in bytes.
std::size_t bytes_of(const std::string &text) {
  std::istringstream in(text);
  std::size_t value = 0;
  char unit = ' ';
  in >> value >> unit;
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : value;
}

/// An entry "12345 kB" of /proc/meminfo in bytes.
std::size_t memory_entry(const std::string &name) {
  return bytes_of(entry_of("/proc/meminfo", name)) << 10;
}

} // namespace

cache_sizes read_cache_sizes() {
  cache_sizes out;
  for (int i = 0; i < 8; ++i) {
    const auto folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i);
    const auto level = first_line(folder + "/level");
    if (first_line(folder + "/type") == "Instruction")
      continue;
    const auto size = bytes_of(first_line(folder + "/size"));
    if (level == "1")
      out.l1 = size;
    else if (level == "2")
      out.l2 = size;
    else if (level == "3")
      out.l3 = size;
  }
  return out;
}

std::size_t memory_total() { return memory_entry("MemTotal"); }
std::size_t memory_available() { return memory_entry("MemAvailable"); }

double load_average() {
  double load = 0;
  std::ifstream("/proc/loadavg") >> load;
  return load;
}

std::string machine_line() {
  constexpr auto cpuinfo = "/proc/cpuinfo";
  const cache_sizes caches = read_cache_sizes();
  std::ostringstream out;
  out << entry_of(cpuinfo, "model name") << " (family "
      << entry_of(cpuinfo, "cpu family") << " model "
      << entry_of(cpuinfo, "model") << "), " << neuron::allowed_cpus().size()
      << " CPUs allowed, " << to_string(neuron::selected_isa()) << ", L1d "
      << neuron::human_bytes(caches.l1) << ", L2 "
      << neuron::human_bytes(caches.l2) << ", L3 "
      << neuron::human_bytes(caches.l3) << ", memory "
      << neuron::human_bytes(memory_total()) << ", Linux "
      << first_line("/proc/sys/kernel/osrelease") << ", load average at start "
      << load_average();
  return out.str();
}

} // namespace ganglion::benchmarks

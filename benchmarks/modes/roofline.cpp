// roofline: arithmetic per instruction set and type, and bandwidth per level of
// memory, with 1..N threads.
#include "benchmarks/roofline/roofline.hpp"

#include "benchmarks/machine/machine.hpp"
#include "benchmarks/mode.hpp"
#include "neuron/core.hpp"

#include <algorithm>

namespace ganglion::benchmarks {

namespace {

constexpr double giga = 1e-9;

/// One row of a table while its samples come in.
struct series {
  std::vector<cell> labels;
  std::function<double()> sample;
  std::vector<double> samples = {};
};

/// Round after round over all series, so that a disturbance spreads over all.
void collect(std::vector<series> &all, std::int64_t repetitions) {
  for (std::int64_t r = 0; r < repetitions; ++r)
    for (series &s : all)
      s.samples.push_back(s.sample() * giga);
}

table finished(table t, const std::vector<series> &all) {
  for (const series &s : all) {
    auto row = s.labels;
    row.emplace_back(summarise(s.samples));
    t.rows.push_back(std::move(row));
  }
  return t;
}

std::vector<series> peak_series(int threads) {
  std::vector<series> all;
  for (const neuron::isa set : neuron::available_isas())
    for (const peak_kernel &kernel : probes_for(set).peaks)
      for (int n = 1; n <= threads; ++n)
        all.push_back({{std::string(to_string(set)), std::string(kernel.type),
                        std::string(kernel.instruction), std::int64_t{n}},
                       [&kernel, n] { return measure_peak(kernel, n); }});
  return all;
}

struct memory_level {
  const char *name;
  std::size_t bytes; ///< of one thread
  std::size_t whole; ///< of all threads, or 0
};

/// Half of a cache that belongs to a core, a quarter of the one that all
/// share: a virtual machine may not have all of it.
std::vector<memory_level> levels() {
  const cache_sizes caches = read_cache_sizes();
  return {{"L1", caches.l1 / 2, 0},
          {"L2", caches.l2 / 2, 0},
          {"L3", 0, caches.l3 / 4},
          {"DRAM", 0, dram_probe_bytes()}};
}

std::vector<series> read_series(int threads) {
  const auto &kernels = probes_for(neuron::available_isas().back());
  std::vector<series> all;
  for (int n = 1; n <= threads; ++n) {
    const auto probe =
        std::make_shared<read_probe>(kernels, n, dram_probe_bytes());
    for (const memory_level &level : levels()) {
      const std::size_t total =
          level.bytes * static_cast<std::size_t>(n) + level.whole;
      if (total == 0)
        continue;
      all.push_back({{std::string(level.name), neuron::human_bytes(total),
                      std::int64_t{n}},
                     [probe, total] { return probe->measure(total); }});
    }
  }
  return all;
}

void run(const runtime::parsed_command &arguments, report &out) {
  const auto repetitions = arguments.own.integer("repetitions");
  auto threads = static_cast<int>(arguments.own.integer("threads"));
  if (threads == 0)
    threads = static_cast<int>(neuron::allowed_cpus().size());
  auto peaks = peak_series(threads);
  auto reads = read_series(threads);
  collect(peaks, repetitions);
  collect(reads, repetitions);
  out.tables.push_back(finished(
      {"arithmetic",
       "Multiply-adds on registers, about 10 ms a sample, all threads pinned "
       "and started together; a multiply-add counts as two operations. Median "
       "of " +
           std::to_string(repetitions) + " interleaved samples (low-high).",
       {{"isa"}, {"type"}, {"instruction"}, {"threads"}, {"rate", "Gop/s"}}},
      peaks));
  out.tables.push_back(finished(
      {"reading",
       "Reads a buffer in order with the widest loads, one stream and one "
       "buffer per pinned thread, 256 MiB or the buffer a sample; size is of "
       "all threads together. Median of " +
           std::to_string(repetitions) + " interleaved samples (low-high).",
       {{"level"}, {"size"}, {"threads"}, {"rate", "GB/s"}}},
      reads));
}

} // namespace

mode roofline_mode() {
  return {{.name = "roofline",
           .summary = "What the machine gives: arithmetic and bandwidth",
           .takes_engine_options = false,
           .options = {{.name = "threads",
                        .kind = runtime::option_kind::integer,
                        .fallback = "auto",
                        .help = "measure 1 to this many; auto: allowed CPUs",
                        .least = 0,
                        .most = 1024,
                        .synonyms = {{"auto", "0"}}},
                       {.name = "repetitions",
                        .kind = runtime::option_kind::integer,
                        .fallback = "7",
                        .help = "samples of each figure",
                        .least = 1,
                        .most = 1000}}},
          run};
}

} // namespace ganglion::benchmarks

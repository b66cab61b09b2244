// load: how long a start takes and how much memory, with and without what
// earlier starts left, against reading the weights once.
#include "actors/engine.hpp"
#include "benchmarks/load/packing_time.hpp"
#include "benchmarks/load/start_process.hpp"
#include "benchmarks/load/weight_files.hpp"
#include "benchmarks/mode.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/step/engine_run.hpp"
#include "runtime/checkpoint/checkpoint.hpp"

#include <filesystem>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;

/// One kind of start.
struct start_kind {
  const char *name;
  bool cache;  ///< keeps and finds artefacts
  bool fresh;  ///< in an empty directory
  bool frugal; ///< low_cpu_mem_usage
};

constexpr start_kind kinds[] = {
    {"without artefacts", false, false, false},
    {"without artefacts, low_cpu_mem_usage", false, false, true},
    {"first, keeping artefacts", true, true, false},
    {"second", true, false, false},
};

struct start_samples {
  std::vector<double> ready, first_token, read_ratio, copy_ratio, limit_share,
      peak_ratio;
  std::int64_t compilations = 0;
};

// --- one start, in this process ----------------------------------------------

engine_config config_of(const runtime::option_values &values,
                        const std::string &path) {
  engine_config config;
  config.model.model_id = path;
  config.model.artifact_cache = values.string("artifact_cache");
  config.model.low_cpu_mem_usage = values.boolean("low_cpu_mem_usage");
  config.graph.tensor_parallel_degree = values.integer("tp_degree");
  return config;
}

void start_here(const runtime::option_values &values, report &out) {
  const auto start = steady_clock().now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(steady_clock().now() - start).count();
  };
  ganglion::engine engine(config_of(values, values.string("model")));
  engine.wait_until_ready();
  const double ready = elapsed();
  generation_request request;
  request.prompt_ids = {1, 2, 3};
  request.max_new_tokens = 2;
  request.ignore_eos = true;
  const auto first = run_together(engine, {request}).first_token * 1e-9;
  out.tables.push_back(
      {"start",
       "One engine, from construction until it is ready and has sent a token.",
       {{"ready", "s"},
        {"first_token", "s"},
        {"peak", "bytes"},
        {"compilations"}},
       {{ready, ready + first, peak_resident(),
         static_cast<std::int64_t>(engine.status().compilations)}}});
}

// --- all kinds, each in a process of its own ---------------------------------

/// What all starts have in common.
struct comparison {
  std::string model, cache; ///< directories
  std::int64_t tp_degree;
  bool cold;      ///< no file is in memory when a start begins
  double weights; ///< bytes
};

std::vector<std::string> arguments_of(const start_kind &kind,
                                      const comparison &c) {
  std::vector<std::string> out{"--model", c.model, "--tp-degree",
                               std::to_string(c.tp_degree)};
  if (kind.cache)
    out.insert(out.end(), {"--artifact-cache", c.cache});
  if (kind.frugal)
    out.push_back("--low-cpu-mem-usage");
  return out;
}

/// Seconds of what cannot be spared, at one moment: reading the weights, and
/// copying or packing what is in memory.
struct least_times {
  double read, copy, pack;

  /// From the disk there is reading and then packing; packing reads what is in
  /// memory.
  double start(bool cold) const { return (cold ? read : 0) + pack; }
};

least_times least_now(const comparison &c) {
  if (c.cold)
    evict(c.model);
  const double read = seconds_to_read(c.model);
  engine_config config;
  config.model.model_id = c.model;
  config.graph.tensor_parallel_degree = c.tp_degree;
  return {read, seconds_to_copy(c.model), seconds_to_pack(config)};
}

void measure(const start_kind &kind, const comparison &c, start_samples &into) {
  if (kind.fresh)
    std::filesystem::remove_all(c.cache);
  const auto before = least_now(c);
  if (c.cold) {
    evict(c.model);
    if (std::filesystem::exists(c.cache))
      evict(c.cache);
  }
  const auto s = start_elsewhere(arguments_of(kind, c));
  const auto after = least_now(c);
  into.ready.push_back(s.ready);
  into.first_token.push_back(s.first_token);
  into.read_ratio.push_back(2 * s.ready / (before.read + after.read));
  into.copy_ratio.push_back(2 * s.ready / (before.copy + after.copy));
  into.limit_share.push_back(50 * (before.start(c.cold) + after.start(c.cold)) /
                             s.ready);
  into.peak_ratio.push_back(static_cast<double>(s.peak) / c.weights);
  into.compilations = s.compilations;
}

table table_of(const std::vector<start_samples> &all, const std::string &what) {
  table t{"starts",
          what,
          {{"start"},
           {"ready", "s"},
           {"first_token", "s"},
           {"read_ratio"},
           {"copy_ratio"},
           {"of_limit", "%"},
           {"peak_ratio"},
           {"compiled"}}};
  for (std::size_t k = 0; k < all.size(); ++k)
    t.rows.push_back(
        {std::string(kinds[k].name), summarise(all[k].ready),
         summarise(all[k].first_token), summarise(all[k].read_ratio),
         summarise(all[k].copy_ratio), summarise(all[k].limit_share),
         summarise(all[k].peak_ratio), all[k].compilations});
  return t;
}

void compare(const runtime::option_values &values, report &out) {
  const model_directory model(values, values.string("dtype"));
  const temporary_directory scratch;
  const comparison c{
      model.path(), scratch.path() + "/cache", values.integer("tp_degree"),
      values.boolean("cold"),
      static_cast<double>(
          runtime::checkpoint::open(model.path())->total_bytes())};
  std::vector<start_samples> all(std::size(kinds));
  const auto repetitions = values.integer("repetitions");
  for (std::int64_t r = 0; r < repetitions; ++r)
    for (std::size_t k = 0; k < all.size(); ++k)
      measure(kinds[k], c, all[k]);
  out.tables.push_back(table_of(
      all,
      model.description() + ": each start in a process of its own, files " +
          (c.cold ? "out of" : "in") +
          " the page cache; read_ratio is the time until ready over that of "
          "reading the weights once" +
          (c.cold ? " from the disk" : "") +
          ", copy_ratio over that of copying them from the page cache into "
          "fresh memory with all cores; of_limit is the time of " +
          (c.cold ? "reading them once from the disk and then " : "") +
          "packing them once with all cores over the time until ready; all "
          "taken right before and after; "
          "peak_ratio is the most resident memory, mapped files included, "
          "over the size of the weights. Medians of " +
          std::to_string(repetitions) + " interleaved rounds."));
}

void run(const runtime::parsed_command &arguments, report &out) {
  if (arguments.own.boolean("once"))
    start_here(arguments.own, out);
  else
    compare(arguments.own, out);
}

} // namespace

mode load_mode() {
  return {{.name = "load",
           .summary = "Seconds and memory of a first and a second start",
           .takes_engine_options = false,
           .options = with_model_options(
               {{.name = "dtype",
                 .kind = option_kind::choice,
                 .fallback = "bf16",
                 .help = "element type of a random model's weights",
                 .choices = {"f32", "f16", "bf16"}},
                {.name = "tp_degree",
                 .kind = option_kind::integer,
                 .fallback = "1",
                 .help = "tensor-parallel degree",
                 .least = 1,
                 .most = 64},
                {.name = "repetitions",
                 .kind = option_kind::integer,
                 .fallback = "3",
                 .help = "rounds",
                 .least = 1,
                 .most = 1000},
                {.name = "cold",
                 .kind = option_kind::boolean,
                 .fallback = "false",
                 .help = "take files out of the page cache before each start"},
                {.name = "once",
                 .kind = option_kind::boolean,
                 .fallback = "false",
                 .help = "one start of --model in this process, nothing else"},
                {.name = "artifact_cache",
                 .help = "with --once: directory of artefacts; default: none"},
                {.name = "low_cpu_mem_usage",
                 .kind = option_kind::boolean,
                 .fallback = "false",
                 .help = "with --once: forget tensors once packed"}})},
          run};
}

} // namespace ganglion::benchmarks

// idle: what a ready engine costs while nothing runs.
#include "actors/engine.hpp"
#include "benchmarks/machine/process_usage.hpp"
#include "benchmarks/mode.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/step/engine_run.hpp"

#include <thread>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;

struct idle_samples {
  std::vector<double> cpu, wakeups, interruptions; ///< per second
  std::int64_t threads = 0;
};

idle_samples watch(std::int64_t pid, double seconds, std::int64_t repetitions) {
  idle_samples out;
  for (std::int64_t r = 0; r < repetitions; ++r) {
    const auto start = steady_clock().now();
    const auto before = usage_of(pid);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const auto after = usage_of(pid);
    const double elapsed =
        std::chrono::duration<double>(steady_clock().now() - start).count();
    const auto rate = [&](std::int64_t from, std::int64_t to) {
      return static_cast<double>(to - from) / elapsed;
    };
    out.cpu.push_back(rate(before.cpu_nanoseconds, after.cpu_nanoseconds) *
                      1e-7);
    out.wakeups.push_back(
        rate(before.voluntary_switches, after.voluntary_switches));
    out.interruptions.push_back(
        rate(before.involuntary_switches, after.involuntary_switches));
    out.threads = after.threads;
  }
  return out;
}

/// A ready engine that has already served: every thread has worked once.
std::unique_ptr<ganglion::engine>
warm_engine(const runtime::option_values &values, const std::string &path) {
  engine_config config;
  config.model.model_id = path;
  config.graph.tensor_parallel_degree = values.integer("tp_degree");
  auto out = std::make_unique<ganglion::engine>(config);
  out->wait_until_ready();
  generation_request request;
  request.prompt_ids = {1, 2, 3};
  request.max_new_tokens = 8;
  request.ignore_eos = true;
  run_together(*out, {request});
  return out;
}

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto pid = values.integer("pid");
  std::optional<model_directory> model;
  std::unique_ptr<ganglion::engine> engine;
  std::string subject = "process " + std::to_string(pid);
  if (pid == 0) {
    model.emplace(values, "bf16");
    engine = warm_engine(values, model->path());
    subject = "engine with " + model->description();
  }
  const auto found =
      watch(pid, values.real("seconds"), values.integer("repetitions"));
  out.tables.push_back(
      {"idle",
       "CPU time and context switches of all threads from /proc over " +
           std::to_string(values.integer("repetitions")) +
           " intervals, after one request was served; the watcher's own sleep "
           "is among the wake-ups unless another process is watched.",
       {{"subject"},
        {"tp"},
        {"threads"},
        {"cpu", "% of a core"},
        {"wakeups", "1/s"},
        {"interruptions", "1/s"}},
       {{subject, values.integer("tp_degree"), found.threads,
         summarise(found.cpu), summarise(found.wakeups),
         summarise(found.interruptions)}}});
}

} // namespace

mode idle_mode() {
  return {{.name = "idle",
           .summary = "CPU time and wake-ups of a ready engine without work",
           .takes_engine_options = false,
           .options = with_model_options(
               {{.name = "tp_degree",
                 .kind = option_kind::integer,
                 .fallback = "1",
                 .help = "tensor-parallel degree of the engine",
                 .least = 1,
                 .most = 64},
                {.name = "pid",
                 .kind = option_kind::integer,
                 .fallback = "0",
                 .help = "watch that process instead of an engine of one's own",
                 .least = 0},
                {.name = "seconds",
                 .kind = option_kind::real,
                 .fallback = "2",
                 .help = "length of an interval",
                 .least = 0.05,
                 .most = 3600},
                {.name = "repetitions",
                 .kind = option_kind::integer,
                 .fallback = "3",
                 .help = "intervals",
                 .least = 1,
                 .most = 1000}})},
          run};
}

} // namespace ganglion::benchmarks

// compile: how long the step graphs of large models take from their
// specification to a program, and how much memory. No weight is made.
#include "benchmarks/load/start_process.hpp"
#include "benchmarks/mode.hpp"
#include "benchmarks/model/shape_options.hpp"
#include "benchmarks/model/temporary_directory.hpp"
#include "benchmarks/model/words.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/verifier.hpp"
#include "neuron/compiler/compiler.hpp"
#include "runtime/artifacts/digest.hpp"
#include "runtime/checkpoint/synthetic_shape.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"

#include <chrono>
#include <fstream>

#include <malloc.h>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;

/// One row of the table while its samples come in.
struct series {
  std::string shape;
  hlo::decoder_spec spec;
  std::size_t instructions = 0, calls = 0;
  std::vector<double> build = {}, verify = {}, hash = {}, optimise = {},
                      lower = {}, whole = {}, memory = {};
};

/// Milliseconds since the last look.
class stop_watch {
public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> passed = now - last_;
    last_ = now;
    return passed.count();
  }

private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

hlo::decoder_spec spec_of(const std::string &shape) {
  const temporary_directory directory;
  std::ofstream(directory.path() + "/config.json")
      << runtime::synthetic_config(named_shape(shape));
  return runtime::described_model(directory.path());
}

std::size_t instructions_of(const hlo::module &m) {
  std::size_t out = 0;
  for (const auto &c : m.computations())
    out += c->instructions().size();
  return out;
}

/// From specification to program, as a start without artefacts does it.
void sample(series &s, const runtime::model_plan &plan, std::int64_t rows) {
  malloc_trim(0); // memory of the samples before
  forget_peak();
  const auto before = peak_resident();
  stop_watch all, part;
  const auto step = hlo::build_step_graph(s.spec, plan.graph(rows));
  s.build.push_back(part.lap());
  hlo::verify(*step.graph);
  s.verify.push_back(part.lap());
  runtime::digest_builder().add(hlo::serialise(*step.graph)).finish();
  s.hash.push_back(part.lap());
  const auto options = plan.compile(neuron::selected_isa());
  const std::shared_ptr<hlo::module> optimised =
      neuron::optimise(*step.graph, options);
  s.optimise.push_back(part.lap());
  const auto code = neuron::lower(optimised, options);
  s.lower.push_back(part.lap());
  s.whole.push_back(all.lap() / 1000);
  s.memory.push_back(static_cast<double>(peak_resident() - before) / 1e6);
  s.instructions = instructions_of(*step.graph);
  s.calls = code->calls.size();
}

runtime::model_plan plan_of(const hlo::decoder_spec &spec,
                            const runtime::option_values &values) {
  runtime::engine_config c;
  c.model.dtype = runtime::weight_dtype::bf16;
  c.graph.tensor_parallel_degree = values.integer("tp_degree");
  c.graph.kv_blocks = 1024; // as memory for the weights is not asked for
  return runtime::plan_model(spec, c);
}

table table_of(const std::vector<series> &all, std::int64_t rows,
               std::int64_t repetitions) {
  table t{"compile",
          "A step of " + std::to_string(rows) +
              " rows from the specification of a bf16 llama to a program: "
              "building the graph, verifying it, hashing its HloModuleProto, "
              "all passes, lowering. Memory: the most resident above what was "
              "before. Medians of " +
              std::to_string(repetitions) + " (low-high).",
          {{"shape"},
           {"instructions"},
           {"kernel_calls"},
           {"build", "ms"},
           {"verify", "ms"},
           {"hash", "ms"},
           {"optimise", "ms"},
           {"lower", "ms"},
           {"whole", "s"},
           {"memory", "MB"}}};
  for (const series &s : all)
    t.rows.push_back({s.shape, static_cast<std::int64_t>(s.instructions),
                      static_cast<std::int64_t>(s.calls), summarise(s.build),
                      summarise(s.verify), summarise(s.hash),
                      summarise(s.optimise), summarise(s.lower),
                      summarise(s.whole), summarise(s.memory)});
  return t;
}

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto rows = values.integer("rows");
  std::vector<series> all;
  for (const auto &shape :
       words_of(values.string("shape"), shape_names(), "shape"))
    all.push_back({shape, spec_of(shape)});
  const auto repetitions = values.integer("repetitions");
  for (std::int64_t r = 0; r < repetitions; ++r)
    for (series &s : all)
      sample(s, plan_of(s.spec, values), rows);
  out.tables.push_back(table_of(all, rows, repetitions));
}

} // namespace

mode compile_mode() {
  return {{.name = "compile",
           .summary = "Seconds and memory from a model's sizes to a program",
           .takes_engine_options = false,
           .options = {{.name = "shape",
                        .fallback = "1.1b,7b,70b",
                        .help = "named shapes, comma-separated"},
                       {.name = "rows",
                        .kind = option_kind::integer,
                        .fallback = "64",
                        .help = "token rows of the step",
                        .least = 1,
                        .most = 1024},
                       {.name = "tp_degree",
                        .kind = option_kind::integer,
                        .fallback = "1",
                        .help = "tensor-parallel degree",
                        .least = 1,
                        .most = 64},
                       {.name = "repetitions",
                        .kind = option_kind::integer,
                        .fallback = "5",
                        .help = "samples",
                        .least = 1,
                        .most = 1000}}},
          run};
}

} // namespace ganglion::benchmarks

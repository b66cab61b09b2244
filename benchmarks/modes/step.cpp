// step: prefill and decode of a model, inside the shards and through the
// actors, beside what the machine gives in the same moments.
#include "benchmarks/mode.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/model/words.hpp"
#include "benchmarks/step/step_subject.hpp"

#include <algorithm>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;

runtime::weight_dtype dtype_of(const std::string &name) {
  return name == "f32"   ? runtime::weight_dtype::f32
         : name == "f16" ? runtime::weight_dtype::f16
                         : runtime::weight_dtype::bf16;
}

step_settings settings_of(const runtime::option_values &values) {
  step_settings s;
  s.prompt = values.integer("prompt_length");
  s.steps = values.integer("steps");
  s.batches = values.get<std::vector<std::int64_t>>("batch");
  s.engine = values.boolean("engine");
  return s;
}

/// Positions that the longest sequence reaches through the engine, which feeds
/// all prompts before all decode together.
std::int64_t positions_of(const step_settings &s, std::int64_t chunk) {
  const auto most = std::ranges::max(s.batches);
  const auto chunks = (s.prompt + chunk - 1) / chunk;
  return s.prompt + s.steps + (most + 1) * (chunks + 1) + 1;
}

constexpr std::string_view with_head = "+head";

engine_config config_of(const runtime::option_values &values,
                        const std::string &directory, const std::string &dtype,
                        const std::string &quantize, std::int64_t tp_degree) {
  const auto settings = settings_of(values);
  engine_config c;
  c.model.model_id = directory;
  c.model.dtype = dtype_of(dtype);
  // Prompts are the same in every repetition and are to be computed.
  c.scheduling.enable_prefix_caching = false;
  using enum hlo::quantisation;
  for (const auto q : {static_int8, int8_dynamic, int4})
    if (quantize.starts_with(to_string(q)))
      c.graph.quantize = {q, quantize.ends_with(with_head)};
  c.graph.tensor_parallel_degree = tp_degree;
  c.graph.threads = values.integer("threads");
  c.graph.chunk = values.integer("chunk");
  c.scheduling.max_rolling_batch_size = std::ranges::max(settings.batches);
  // As `plan_model`: a step has room for every sequence.
  c.graph.n_positions = positions_of(
      settings, std::max(c.graph.chunk, c.scheduling.max_rolling_batch_size));
  return c;
}

using subjects = std::vector<std::unique_ptr<step_subject>>;

std::string phase_name(const phase_samples &p, const step_settings &s) {
  return p.batch == 0 ? "prefill " + std::to_string(s.prompt)
                      : "decode x" + std::to_string(p.batch);
}

double tokens_of(const phase_samples &p, const step_settings &s) {
  return static_cast<double>(p.batch == 0 ? s.prompt : p.batch);
}

figure scaled(std::vector<double> samples, double by) {
  for (double &x : samples)
    x *= by;
  return summarise(std::move(samples));
}

table shard_table(const subjects &all, const step_settings &s) {
  table t{
      "step inside the shards",
      "Time of all kernels of a step (of all chunks for a prompt), slowest "
      "rank; decode: median of " +
          std::to_string(s.steps) +
          " steps a sample. Operations and bytes are the least a step needs "
          "(weights once, keys and values once); of peak and of read compare "
          "with multiply-adds on registers and with reading a buffer of those "
          "bytes on the same threads right before and after; of limit is the "
          "greater of the two. Rest: inputs and sampling. Allocations: calls "
          "of operator new per step, all ranks. Medians (low-high) of the "
          "samples.",
      {{"dtype"},
       {"tp"},
       {"phase"},
       {"step", "ms"},
       {"tokens", "1/s"},
       {"collectives", "%"},
       {"operations", "Gop/s"},
       {"of_peak", "%"},
       {"bytes", "GB/s"},
       {"of_read", "%"},
       {"of_limit", "%"},
       {"rest", "us"},
       {"allocations"}}};
  for (const auto &subject : all)
    for (const auto &p : subject->phases()) {
      std::vector<double> rest;
      for (std::size_t i = 0; i < p.whole.size(); ++i)
        rest.push_back((p.whole[i] - p.program[i]) * 1e-3);
      t.rows.push_back({subject->type(), subject->tp_degree(), phase_name(p, s),
                        scaled(p.program, 1e-6),
                        summarise(inverted(p.program, tokens_of(p, s) * 1e9)),
                        scaled(p.collective_share, 100),
                        scaled(p.operation_rate, 1e-9),
                        scaled(p.peak_share, 100), scaled(p.byte_rate, 1e-9),
                        scaled(p.read_share, 100), scaled(p.limit_share, 100),
                        summarise(std::move(rest)), summarise(p.allocations)});
    }
  return t;
}

table sink_table(const subjects &all, const step_settings &s) {
  table t{"the same through the engine's actors",
          "Prefill: submission to first token of one request. Decode: time "
          "per step at the sinks while all requests decode together. Added is "
          "against kernels, inputs and sampling in the shards alone in the "
          "same repetition. Medians (low-high) of the samples.",
          {{"dtype"},
           {"tp"},
           {"phase"},
           {"at_sink", "ms"},
           {"tokens", "1/s"},
           {"added", "us"},
           {"added_share", "%"}}};
  for (const auto &subject : all)
    for (const auto &p : subject->phases()) {
      std::vector<double> added, share;
      for (std::size_t i = 0; i < p.sink.size(); ++i) {
        added.push_back((p.sink[i] - p.whole[i]) * 1e-3);
        share.push_back((p.sink[i] / p.whole[i] - 1) * 100);
      }
      t.rows.push_back({subject->type(), subject->tp_degree(), phase_name(p, s),
                        scaled(p.sink, 1e-6),
                        summarise(inverted(p.sink, tokens_of(p, s) * 1e9)),
                        summarise(std::move(added)),
                        summarise(std::move(share))});
    }
  return t;
}

/// DRAM reading with all threads, since the rate may be another one later.
class dram_watch {
public:
  explicit dram_watch(int threads)
      : probe_(probes_for(neuron::selected_isa()), threads,
               dram_probe_bytes()) {}
  std::vector<double> sample() const {
    std::vector<double> out;
    for (int i = 0; i < 5; ++i)
      out.push_back(probe_.measure(dram_probe_bytes()) * 1e-9);
    return out;
  }

private:
  read_probe probe_;
};

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto settings = settings_of(values);
  const auto dtypes =
      words_of(values.string("dtype"), {"f32", "f16", "bf16"}, "dtype");
  const auto weights =
      words_of(values.string("quantize"),
               {"none", "static_int8", "static_int8+head", "int8_dynamic",
                "int8_dynamic+head", "int4", "int4+head"},
               "quantize");
  const model_directory model(values, dtypes[0]);
  subjects all;
  for (const auto &dtype : dtypes)
    for (const auto &quantize : weights)
      for (const auto degree :
           values.get<std::vector<std::int64_t>>("tp_degree"))
        all.push_back(std::make_unique<step_subject>(
            config_of(values, model.path(), dtype, quantize, degree),
            settings));
  const dram_watch dram(static_cast<int>(neuron::allowed_cpus().size()));
  const auto before = dram.sample();
  for (std::int64_t r = 0; r < values.integer("repetitions"); ++r)
    for (const auto &subject : all)
      subject->repeat();
  out.tables.push_back(shard_table(all, settings));
  if (settings.engine)
    out.tables.push_back(sink_table(all, settings));
  table conditions{
      "conditions",
      "DRAM: reading far more than the caches hold with all allowed CPUs, 5 "
      "samples before the first and after the last repetition.",
      {{"model"},
       {"dtype"},
       {"tp"},
       {"threads"},
       {"repetitions"},
       {"dram_before", "GB/s"},
       {"dram_after", "GB/s"}}};
  const auto after = summarise(dram.sample());
  for (const auto &subject : all)
    conditions.rows.push_back({model.description(), subject->type(),
                               subject->tp_degree(), subject->threads(),
                               values.integer("repetitions"), summarise(before),
                               after});
  out.tables.push_back(std::move(conditions));
}

runtime::option_table options() {
  return with_model_options(
      {{.name = "dtype",
        .fallback = "f32",
        .help = "element types, comma-separated, of f32, f16, bf16; a random "
                "model is stored in the first"},
       {.name = "quantize",
        .fallback = "none",
        .help = "weights of layers, comma-separated, of none, static_int8, "
                "int8_dynamic, int4; with +head the output matrix as well"},
       {.name = "tp_degree",
        .kind = option_kind::integer_list,
        .fallback = "1",
        .help = "tensor-parallel degrees, comma-separated",
        .least = 1,
        .most = 64},
       {.name = "threads",
        .kind = option_kind::integer,
        .fallback = "auto",
        .help = "kernel threads of all ranks together; auto: allowed CPUs",
        .least = 0,
        .most = 1024,
        .synonyms = {{"auto", "0"}}},
       {.name = "batch",
        .kind = option_kind::integer_list,
        .fallback = "1,8",
        .help = "sequences that are decoded together, comma-separated",
        .least = 1,
        .most = 1024},
       {.name = "prompt_length",
        .kind = option_kind::integer,
        .fallback = "128",
        .help = "tokens of each prompt",
        .least = 1,
        .most = 1 << 20},
       {.name = "steps",
        .kind = option_kind::integer,
        .fallback = "32",
        .help = "decode steps of each sample",
        .least = 1,
        .most = 100000},
       {.name = "chunk",
        .kind = option_kind::integer,
        .fallback = "64",
        .help = "most token rows in one step",
        .least = 1,
        .most = 65536},
       {.name = "repetitions",
        .kind = option_kind::integer,
        .fallback = "5",
        .help = "samples of each figure",
        .least = 1,
        .most = 1000},
       {.name = "engine",
        .kind = option_kind::boolean,
        .fallback = "true",
        .help = "also measure through the engine's actors"}});
}

} // namespace

mode step_mode() {
  return {{.name = "step",
           .summary = "Prefill and decode in the shards and through the actors",
           .takes_engine_options = false,
           .options = options()},
          run};
}

} // namespace ganglion::benchmarks

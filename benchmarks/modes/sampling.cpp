// sampling: what choosing the next tokens of a batch costs, beside what
// reading the weights of a model of a billion parameters takes.
#include "benchmarks/mode.hpp"
#include "benchmarks/roofline/roofline.hpp"
#include "runtime/shard/row_sampler.hpp"

#include <chrono>
#include <random>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;
using runtime::sampling_parameters;

/// Bytes of a model of 1.1 billion parameters in bf16.
constexpr double model_bytes = 2.2e9;

struct variant {
  const char *name;
  void (*set)(sampling_parameters &);
  std::int32_t top = 0; ///< alternatives
};

constexpr variant variants[] = {
    {"greedy", [](sampling_parameters &p) { p.do_sample = false; }},
    {"greedy, 20 alternatives",
     [](sampling_parameters &p) { p.do_sample = false; }, 20},
    {"temperature", [](sampling_parameters &p) { p.temperature = 0.8f; }},
    {"top_k 50", [](sampling_parameters &p) { p.top_k = 50; }},
    {"top_k 50, top_p 0.9",
     [](sampling_parameters &p) {
       p.top_k = 50;
       p.top_p = 0.9f;
     }},
    {"top_p 0.9", [](sampling_parameters &p) { p.top_p = 0.9f; }},
    {"min_p 0.05", [](sampling_parameters &p) { p.min_p = 0.05f; }},
    {"typical_p 0.9", [](sampling_parameters &p) { p.typical_p = 0.9f; }},
    {"penalties",
     [](sampling_parameters &p) {
       p.repetition_penalty = 1.1f;
       p.frequency_penalty = 0.2f;
       p.no_repeat_ngram_size = 4;
     }},
};

/// The logits of one step and the states of its sequences.
class subject {
public:
  subject(std::size_t rows, std::size_t vocabulary, double spread, int threads)
      : vocabulary_(vocabulary),
        logits_(rows * vocabulary),
        wanted_(rows),
        slots_(rows),
        team_(threads, neuron::allowed_cpus(), true),
        sampler_(vocabulary, rows, 20, threads,
                 neuron::kernels_for(neuron::selected_isa())) {
    std::mt19937 random(1);
    std::normal_distribution<float> draw(0.0f, static_cast<float>(spread));
    for (float &x : logits_)
      x = draw(random);
  }

  /// Seconds of a step.
  double measure(const variant &v) {
    begin(v);
    const auto start = std::chrono::steady_clock::now();
    sampler_.choose(team_, wanted_, {}, slots_, logits_.data());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  void begin(const variant &v) {
    runtime::sampled_sequence sequence;
    sequence.parameters.do_sample = true;
    v.set(sequence.parameters);
    sequence.max_length = 2048;
    std::vector<std::int32_t> history;
    for (std::size_t i = 0; i < 1000; ++i)
      history.push_back(static_cast<std::int32_t>(i * 7919 % vocabulary_));
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      slots_[i].begin(sequence, history, vocabulary_);
      wanted_[i].slot = static_cast<std::int32_t>(i);
      wanted_[i].position = static_cast<std::int64_t>(1000 + ++step_);
      wanted_[i].top = v.top;
    }
  }

  std::size_t vocabulary_;
  std::vector<float> logits_;
  std::vector<runtime::logit_request> wanted_;
  std::vector<runtime::sampler_state> slots_;
  neuron::thread_team team_;
  runtime::row_sampler sampler_;
  std::size_t step_ = 0;
};

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto repetitions = values.integer("repetitions");
  auto threads = static_cast<int>(values.integer("threads"));
  if (threads == 0)
    threads = static_cast<int>(neuron::allowed_cpus().size());
  subject all(static_cast<std::size_t>(values.integer("rows")),
              static_cast<std::size_t>(values.integer("vocabulary")),
              values.real("spread"), threads);
  read_probe reading(probes_for(neuron::selected_isa()), threads,
                     dram_probe_bytes());
  std::vector<std::vector<double>> times(std::size(variants)),
      shares(std::size(variants));
  for (std::int64_t r = 0; r < repetitions; ++r)
    for (std::size_t i = 0; i < std::size(variants); ++i) {
      const double read = reading.measure(dram_probe_bytes());
      const double seconds = all.measure(variants[i]);
      times[i].push_back(seconds * 1e6);
      shares[i].push_back(seconds / (model_bytes / read) * 100);
    }
  table t{"sampling",
          "One step's tokens chosen by " + std::to_string(threads) +
              " threads from normal logits. Of a step compares with reading "
              "2.2 GB at the rate measured right before. Median of " +
              std::to_string(repetitions) + " samples (low-high).",
          {{"parameters"}, {"time", "us"}, {"of_step", "%"}}};
  for (std::size_t i = 0; i < std::size(variants); ++i)
    t.rows.push_back({std::string(variants[i].name), summarise(times[i]),
                      summarise(shares[i])});
  out.tables.push_back(std::move(t));
}

runtime::option_table options() {
  return {{.name = "rows",
           .kind = option_kind::integer,
           .fallback = "32",
           .help = "sequences of the step",
           .least = 1,
           .most = 256},
          {.name = "vocabulary",
           .kind = option_kind::integer,
           .fallback = "128256",
           .help = "logits of a row",
           .least = 1,
           .most = 1 << 20},
          {.name = "spread",
           .kind = option_kind::real,
           .fallback = "3",
           .help = "standard deviation of the logits"},
          {.name = "threads",
           .kind = option_kind::integer,
           .fallback = "auto",
           .help = "threads of the team; auto: allowed CPUs",
           .least = 0,
           .most = 1024,
           .synonyms = {{"auto", "0"}}},
          {.name = "repetitions",
           .kind = option_kind::integer,
           .fallback = "15",
           .help = "samples of each row",
           .least = 1,
           .most = 10000}};
}

} // namespace

mode sampling_mode() {
  return {{.name = "sampling",
           .summary = "Choosing the tokens of a step",
           .takes_engine_options = false,
           .options = options()},
          run};
}

} // namespace ganglion::benchmarks

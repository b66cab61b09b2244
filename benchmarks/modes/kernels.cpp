// kernels: each kernel on the sizes of well-known models, beside what the
// machine gives in the same moments.
#include "benchmarks/mode.hpp"
#include "benchmarks/model/words.hpp"
#include "benchmarks/roofline/kernel_case.hpp"
#include "benchmarks/roofline/roofline.hpp"

#include <algorithm>

namespace ganglion::benchmarks {

namespace {

using neuron::element_type;
using runtime::option_kind;

struct model_size {
  const char *name;
  std::int64_t hidden, mlp, heads, kv_heads;
};

constexpr model_size sizes[] = {{"15m", 288, 768, 6, 6},
                                {"110m", 768, 2048, 12, 12},
                                {"1.1b", 2048, 5632, 32, 4}};

/// One row of the table while its samples come in.
struct series {
  std::vector<cell> labels;
  std::unique_ptr<kernel_case> work;
  std::unique_ptr<read_probe> reading;
  std::vector<double> time = {}, peak = {}, read = {}, limit = {};
};

class subject {
public:
  /// `group`: of int4 weights, or 0.
  subject(int threads, element_type type, std::int64_t group)
      : threads_(threads),
        type_(type),
        group_(group),
        probes_(probes_for(neuron::selected_isa())),
        team_(threads, neuron::allowed_cpus(), true) {}

  void add(const model_size &size, std::int64_t rows, std::int64_t context) {
    const std::int64_t width = size.hidden / size.heads;
    const auto product = [&](const char *name, std::int64_t n, std::int64_t k,
                             bool gated) {
      add(size, name, rows, linear_case(type_, rows, n, k, gated, group_));
    };
    product("query, key, value", size.hidden + 2 * size.kv_heads * width,
            size.hidden, false);
    product("gated pair", size.mlp, size.hidden, true);
    product("down", size.hidden, size.mlp, false);
    if (type_ == element_type::s8)
      return;
    const attention_size attention{size.heads, size.kv_heads, width, context};
    // A chunk of one prompt, or one row of each sequence.
    add(size, "attention", rows,
        attention_case(type_, rows, rows >= 64 ? 1 : rows, attention));
  }

  void sample() {
    for (series &s : all_)
      sample(s);
  }

  table finished(std::int64_t repetitions, std::int64_t context) const;

private:
  void add(const model_size &size, const char *name, std::int64_t rows,
           std::unique_ptr<kernel_case> work) {
    const auto bytes =
        std::min(static_cast<std::size_t>(work->bytes()), dram_probe_bytes());
    all_.push_back({{std::string(size.name), std::string(name), rows},
                    std::move(work),
                    std::make_unique<read_probe>(probes_, threads_, bytes)});
  }

  void sample(series &s) {
    const auto bytes = static_cast<std::size_t>(s.work->bytes());
    const double peak = measure_peak(peak_of(probes_, type_), threads_);
    const double read = s.reading->measure(std::min(bytes, dram_probe_bytes()));
    const double seconds = s.work->measure(team_);
    s.time.push_back(seconds * 1e6);
    s.peak.push_back(s.work->operations() / seconds / peak * 100);
    s.read.push_back(s.work->bytes() / seconds / read * 100);
    s.limit.push_back(std::max(s.peak.back(), s.read.back()));
  }

  int threads_;
  element_type type_;
  std::int64_t group_;
  const probe_kernels &probes_;
  neuron::thread_team team_;
  std::vector<series> all_;
};

table subject::finished(std::int64_t repetitions, std::int64_t context) const {
  table t{"kernels " +
              (group_ > 0 ? std::string("s4") : std::string(to_string(type_))),
          "One kernel again and again on the same memory by " +
              std::to_string(threads_) +
              " threads, which meet after each run; attention of 64 rows and "
              "more is a chunk of one prompt of " +
              std::to_string(context) +
              " positions, of fewer as many sequences. Of peak and of read "
              "compare with multiply-adds on registers and with reading a "
              "buffer of the same bytes right before. Median of " +
              std::to_string(repetitions) + " samples (low-high).",
          {{"size"},
           {"kernel"},
           {"rows"},
           {"time", "us"},
           {"of_peak", "%"},
           {"of_read", "%"},
           {"of_limit", "%"}}};
  for (const series &s : all_) {
    auto row = s.labels;
    for (const auto *samples : {&s.time, &s.peak, &s.read, &s.limit})
      row.emplace_back(summarise(*samples));
    t.rows.push_back(std::move(row));
  }
  return t;
}

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto repetitions = values.integer("repetitions");
  const auto context = values.integer("context");
  auto threads = static_cast<int>(values.integer("threads"));
  if (threads == 0)
    threads = static_cast<int>(neuron::allowed_cpus().size());
  const auto wanted =
      words_of(values.string("shape"), {"15m", "110m", "1.1b"}, "shape");
  for (const auto &dtype :
       words_of(values.string("dtype"), {"f32", "bf16", "s8", "s4"}, "dtype")) {
    const bool int8 = dtype == "s8" || dtype == "s4";
    subject all(threads,
                dtype == "f32" ? element_type::f32
                : int8         ? element_type::s8
                               : element_type::bf16,
                dtype == "s4" ? 32 : 0);
    for (const model_size &size : sizes)
      if (std::ranges::count(wanted, size.name) > 0)
        for (const auto rows : values.get<std::vector<std::int64_t>>("rows"))
          all.add(size, rows, context);
    for (std::int64_t r = 0; r < repetitions; ++r)
      all.sample();
    out.tables.push_back(all.finished(repetitions, context));
  }
}

runtime::option_table options() {
  return {{.name = "shape",
           .fallback = "15m,110m,1.1b",
           .help = "model sizes, comma-separated, of 15m, 110m, 1.1b"},
          {.name = "dtype",
           .fallback = "bf16",
           .help = "element types, comma-separated, of f32, bf16, s8, s4; s8 "
                   "is the products of quantize=int8_dynamic, s4 those of "
                   "quantize=int4"},
          {.name = "rows",
           .kind = option_kind::integer_list,
           .fallback = "1,8,64",
           .help = "token rows, comma-separated",
           .least = 1,
           .most = 1024},
          {.name = "context",
           .kind = option_kind::integer,
           .fallback = "1024",
           .help = "positions that attention sees; at least the rows",
           .least = 1,
           .most = 1 << 17},
          {.name = "threads",
           .kind = option_kind::integer,
           .fallback = "auto",
           .help = "threads of the team; auto: allowed CPUs",
           .least = 0,
           .most = 1024,
           .synonyms = {{"auto", "0"}}},
          {.name = "repetitions",
           .kind = option_kind::integer,
           .fallback = "7",
           .help = "samples of each figure",
           .least = 1,
           .most = 1000}};
}

} // namespace

mode kernels_mode() {
  return {{.name = "kernels",
           .summary = "Each kernel beside the machine's limit",
           .takes_engine_options = false,
           .options = options()},
          run};
}

} // namespace ganglion::benchmarks

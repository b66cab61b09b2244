#include "runtime/config/smart_defaults.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

namespace ganglion::runtime {

namespace {

constexpr double core_memory = 16; // GB
constexpr std::int64_t most_sequences = 32, most_positions = 4096;

class rules {
public:
  rules(const model_shape &shape, std::int64_t cores, std::int64_t positions,
        bool quantised)
      : cores_(cores) {
    const double bytes = quantised ? 1 : 2;
    model_ = estimated_parameters(shape) * bytes / 1e9;
    sequence_ = static_cast<double>(positions * shape.hidden * shape.layers) *
                bytes * 0.95 / std::exp2(30);
  }

  /// Sequences that fit at a degree: a power of two, or 0.
  std::int64_t batch_at(std::int64_t degree) const {
    const auto ranks = static_cast<double>(degree);
    const double model = model_ * (1 + (2 * ranks - 2) / 100);
    const double fitting =
        std::min(static_cast<double>(most_sequences),
                 std::floor((core_memory * ranks - model) / sequence_));
    std::int64_t batch = 0;
    for (std::int64_t next = 1; static_cast<double>(next) <= fitting; next *= 2)
      batch = next;
    return batch;
  }

  /// The smallest degree at which copies of the model on all cores run the
  /// most sequences; all cores where no degree can hold the model.
  std::int64_t degree_for(std::optional<std::int64_t> batch) const {
    std::int64_t best = cores_;
    std::int64_t most = -1;
    for (const auto degree : degrees()) {
      const auto each = batch_at(degree);
      const bool counts = !batch || each >= *batch;
      const auto together = counts ? each * (cores_ / degree) : 0;
      if (together > most) {
        most = together;
        best = degree;
      }
    }
    return best;
  }

private:
  /// Ascending, those with memory enough.
  std::vector<std::int64_t> degrees() const {
    const double least = std::ceil(1.1 * model_ / core_memory);
    std::vector<std::int64_t> out;
    for (const std::int64_t degree : {1, 2, 4, 8})
      if (degree <= cores_ && !(degree == 4 && cores_ == 32))
        out.push_back(degree);
    if (cores_ > 8)
      out.push_back(cores_);
    std::erase_if(out, [&](std::int64_t degree) {
      return static_cast<double>(degree) < least;
    });
    return out;
  }

  std::int64_t cores_;
  double model_ = 0, sequence_ = 1; // GB
};

} // namespace

double estimated_parameters(const model_shape &shape) {
  const auto h = static_cast<double>(shape.hidden);
  const auto heads = static_cast<double>(shape.heads);
  const auto kv = static_cast<double>(shape.kv_heads);
  const double layer = heads * kv * h * kv * 3 + h * h +
                       3 * h * static_cast<double>(shape.intermediate) + 2 * h;
  return 2 * h * static_cast<double>(shape.vocabulary) +
         static_cast<double>(shape.layers) * layer + h;
}

std::optional<model_shape> shape_for_defaults(const std::string &directory) {
  const auto path = directory + "/config.json";
  std::error_code ignored; // what cannot be seen is not there
  if (!std::filesystem::is_regular_file(path, ignored))
    return std::nullopt;
  const auto document = json::document::load(path);
  const auto config = document.root();
  if (!config.is_object())
    return std::nullopt;
  const auto family = config.get_string("model_type", "");
  if (family != "llama" && family != "mistral")
    return std::nullopt;
  const auto field = [&](const char *name) { return config.get_int(name, 0); };
  const model_shape out{field("hidden_size"),
                        field("intermediate_size"),
                        field("num_hidden_layers"),
                        field("num_attention_heads"),
                        field("num_key_value_heads"),
                        field("vocab_size"),
                        field("max_position_embeddings")};
  const auto least =
      std::min({out.hidden, out.intermediate, out.layers, out.heads,
                out.kv_heads, out.vocabulary, out.max_positions});
  return least > 0 ? std::optional(out) : std::nullopt;
}

chosen_sizes smart_defaults(const model_shape &shape, std::int64_t cores,
                            const given_sizes &given) {
  require(cores > 0, "smart_defaults: no cores");
  chosen_sizes out;
  out.n_positions =
      given.n_positions.value_or(std::min(shape.max_positions, most_positions));
  const rules fit(shape, cores, out.n_positions, given.quantised);
  out.tp_degree =
      given.tp_degree ? *given.tp_degree : fit.degree_for(given.batch);
  out.batch = given.batch;
  if (const auto fitting = fit.batch_at(out.tp_degree); !out.batch && fitting)
    out.batch = fitting;
  return out;
}

} // namespace ganglion::runtime

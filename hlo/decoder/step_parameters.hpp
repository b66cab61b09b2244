// The parameters of a step graph: inputs of the step, KV caches and weights,
// declared in the order that everybody counts on.
#pragma once

#include "hlo/builder.hpp"
#include "hlo/composites/paged_attention.hpp"
#include "hlo/decoder/step_graph.hpp"

#include <map>
#include <span>

namespace ganglion::hlo {

/// Declares all parameters of `b`'s computation and finds them again. Borrows
/// nothing: the values belong to the module.
class step_parameters {
public:
  step_parameters(builder &b, const decoder_spec &spec,
                  const graph_options &options);

  value tokens = nullptr, positions = nullptr, rotary_lengths = nullptr,
        write_slots = nullptr, logit_rows = nullptr;
  value embedded = nullptr; ///< rows of the embedding, if the host makes them
  attention_inputs attend{};
  std::vector<value> caches; ///< `layer_caches` of all; replaced as written
  std::vector<std::int64_t> cache_numbers;
  std::vector<weight_parameter> weights;
  std::optional<weight_parameter> host_embedding;

  /// One more parameter: the residual stream. Returns its number.
  std::int64_t declare_stream(shape form, bool live_rows_first);
  value stream = nullptr;

  /// The caches of one layer.
  std::span<value> caches_of(std::int64_t layer) {
    const auto n = caches.size() / static_cast<std::size_t>(layers_);
    return std::span(caches).subspan(static_cast<std::size_t>(layer) * n, n);
  }
  value weight(const std::string &name) const { return found_.at(name); }
  /// Null when the model has no such weight.
  value optional_weight(const std::string &name) const;

private:
  value declare(shape s, const std::string &name, const std::string &rows = {});
  void declare_inputs(const graph_options &options);
  void declare_rows(std::int64_t rows);
  void declare_caches(const decoder_spec &spec, const graph_options &options);
  void declare_weights(const decoder_spec &spec, const graph_options &options);

  builder &b_;
  std::int64_t next_ = 0;
  std::int64_t layers_;
  std::map<std::string, value> found_;
};

} // namespace ganglion::hlo

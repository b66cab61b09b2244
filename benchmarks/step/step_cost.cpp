#include "benchmarks/step/step_cost.hpp"

#include "hlo/decoder/step_graph.hpp"

#include <cmath>

namespace ganglion::benchmarks {

step_work &step_work::operator+=(const step_work &more) {
  operations += more.operations;
  bytes += more.bytes;
  return *this;
}

step_cost::step_cost(const hlo::decoder_spec &spec, hlo::element_type type,
                     const hlo::weight_quantisation &quantize) {
  for (const auto &w : hlo::decoder_weights(spec, quantize)) {
    // Of the tables a step reads one row per token: nothing.
    if (w.whole.size() != 2 || w.name.starts_with("embedding."))
      continue;
    const auto elements = static_cast<double>(w.whole[0] * w.whole[1]);
    matrices &sum = w.expert >= 0                 ? experts_
                    : w.name.starts_with("head.") ? head_
                                                  : matrices_;
    if (w.form != hlo::weight_form::group_scale)
      sum.elements += elements;
    sum.bytes += elements * w.element_bytes(type);
  }
  if (spec.experts > 0)
    chosen_ = static_cast<double>(spec.experts_per_token) /
              static_cast<double>(spec.experts);
  const auto layers = static_cast<double>(spec.layers);
  // Scores and weighted values.
  attention_ = 4 * static_cast<double>(spec.heads * spec.head_dim) * layers;
  cache_ = 2 * static_cast<double>(spec.kv_heads * spec.head_dim) * layers *
           static_cast<double>(byte_size(type));
}

step_work step_cost::rows(double count, double logit_rows, double attended,
                          double cached) const {
  const double read = experts_.bytes * (1 - std::pow(1 - chosen_, count));
  return {2 * (matrices_.elements + chosen_ * experts_.elements) * count +
              2 * head_.elements * logit_rows + attention_ * attended,
          matrices_.bytes + read + (logit_rows > 0 ? head_.bytes : 0) +
              cache_ * cached};
}

step_work step_cost::prefill(std::int64_t first, std::int64_t count,
                             std::int64_t logit_rows) const {
  const auto n = static_cast<double>(count), from = static_cast<double>(first);
  return rows(n, static_cast<double>(logit_rows), n * from + n * (n + 1) / 2,
              from + n);
}

step_work step_cost::decode(std::int64_t batch, std::int64_t context) const {
  const auto n = static_cast<double>(batch);
  const double positions = n * static_cast<double>(context);
  return rows(n, n, positions, positions);
}

} // namespace ganglion::benchmarks

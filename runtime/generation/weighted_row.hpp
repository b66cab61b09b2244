// Scores with what they weigh in a draw: what filters narrow down.
#pragma once

#include "neuron/kernels/kernels.hpp"
#include "runtime/generation/score_row.hpp"

#include <cstdint>
#include <span>

namespace ganglion::runtime {

/// Scratch memory for rows of up to the vocabulary.
struct weighing_scratch {
  std::span<float> scores, weights;
  std::span<std::int32_t> tokens, places;
  std::span<scored_candidate> candidates;
};

/// Scores / temperature and exp(score - top), where top is the highest score
/// at the start; what was filtered out is gone, or is -infinite and weighs
/// nothing. A view
/// of scratch memory; nothing is allocated. Short rows are weighed to the last
/// bit, long ones to about 2 ulp.
class weighted_row {
public:
  /// A whole vocabulary, in place of whose tokens their places stand.
  weighted_row(const neuron::kernel_set &kernels, const weighing_scratch &in,
               std::span<const float> scores, float top, float temperature);
  /// Some tokens only, which are brought into order. They may be the
  /// scratch's candidates.
  weighted_row(const neuron::kernel_set &kernels, const weighing_scratch &in,
               std::span<scored_candidate> from, float temperature);

  std::size_t size() const { return scores_.size(); }
  std::span<const float> scores() const { return scores_; }
  std::span<const float> weights() const { return weights_; }
  std::int32_t token(std::size_t place) const {
    return tokens_.empty() ? static_cast<std::int32_t>(place) : tokens_[place];
  }
  /// Whether places are tokens.
  bool whole() const { return tokens_.empty(); }
  float top() const { return top_; }
  double mass() const { return mass_; } ///< sum of the weights

  /// The entropy of the distribution.
  double entropy() const;
  /// The highest score that is left.
  float highest() const;

  /// Keeps the scores within `radius` of `centre`, of which there must be one.
  void keep_within(float centre, float radius);
  /// Keeps the scores nearest to `centre` that together weigh at least `share`
  /// of the mass: those as near as the last one needed too, or, if not
  /// `with_equals`, of these only as many as needed, the last in order of
  /// places first.
  void keep_nearest(float centre, double share, bool with_equals);

private:
  void weigh(const float *scores, float temperature);
  neuron::mass_args near(float centre, float radius) const;
  /// Where the last of the nearest scores is: farther than `inner`, at most
  /// `outer` from the centre.
  struct edge_range {
    float inner = -1, outer = 0;
    std::int64_t within = 0, beyond = 0; ///< scores within either
    double mass = 0; ///< within `inner`: less than what is to be kept
  };
  void narrow_down(float centre, double target, edge_range &edge) const;
  std::span<scored_candidate> sorted(float centre, const edge_range &edge);

  const neuron::kernel_set &kernels_;
  std::span<float> scores_, weights_;
  std::span<std::int32_t> all_tokens_; ///< memory for them
  std::span<std::int32_t> tokens_, places_;
  std::span<scored_candidate> candidates_;
  float top_ = 0;
  double mass_ = 0;
};

} // namespace ganglion::runtime

#include "runtime/generation/weighted_row.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

/// Rows that are weighed with the library's exponential, and bands that are
/// sorted: few enough for neither to count.
constexpr std::size_t few = 1024;
constexpr std::int64_t narrow = 256;

/// Farther below the top nothing weighs anything.
constexpr float reach = 200.0f;

} // namespace

weighted_row::weighted_row(const neuron::kernel_set &kernels,
                           const weighing_scratch &in,
                           std::span<const float> scores, float top,
                           float temperature)
    : kernels_(kernels),
      scores_(in.scores),
      weights_(in.weights),
      candidates_(in.candidates),
      top_(top / temperature) {
  weigh(scores.data(), temperature);
}

weighted_row::weighted_row(const neuron::kernel_set &kernels,
                           const weighing_scratch &in,
                           std::span<scored_candidate> from, float temperature)
    : kernels_(kernels),
      scores_(in.scores.first(from.size())),
      weights_(in.weights.first(from.size())),
      tokens_(in.tokens.first(from.size())),
      candidates_(in.candidates) {
  std::ranges::sort(from, {}, &scored_candidate::token);
  top_ = -INFINITY;
  for (std::size_t i = 0; i < from.size(); ++i) {
    scores_[i] = from[i].score;
    tokens_[i] = from[i].token;
    top_ = std::max(top_, from[i].score / temperature);
  }
  weigh(scores_.data(), temperature);
}

void weighted_row::weigh(const float *scores, float temperature) {
  mass_ = 0;
  if (size() > few) {
    mass_ =
        kernels_.weigh({scores, temperature, top_, scores_.data(),
                        weights_.data(), static_cast<std::int64_t>(size())});
    return;
  }
  for (std::size_t i = 0; i < size(); ++i) {
    scores_[i] = scores[i] / temperature;
    weights_[i] = static_cast<float>(std::exp(double(scores_[i]) - top_));
    mass_ += weights_[i];
  }
}

double weighted_row::entropy() const {
  double moment = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (weights_[i] > 0)
      moment += double(weights_[i]) * (double(scores_[i]) - top_);
  return std::log(mass_) - moment / mass_;
}

float weighted_row::highest() const { return std::ranges::max(scores_); }

neuron::mass_args weighted_row::near(float centre, float radius) const {
  return {scores_.data(), weights_.data(), static_cast<std::int64_t>(size()),
          centre, radius};
}

void weighted_row::keep_within(float centre, float radius) {
  mass_ = kernels_.mask_outside(near(centre, radius));
}

/// The scores farther than `inner` from `centre` and at most `outer`; their
/// places stand for tokens.
std::span<scored_candidate> weighted_row::band(float centre, float inner,
                                               float outer) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const float off = std::fabs(scores_[i] - centre);
    if (off > inner && off <= outer)
      candidates_[found++] = {scores_[i], static_cast<std::int32_t>(i)};
  }
  return candidates_.first(found);
}

void weighted_row::keep_nearest(float centre, double share, bool with_equals) {
  const double target = share * mass_;
  // Less than the target lies within `inner`, as much or more within `outer`.
  float inner = -1.0f, outer = reach;
  double mass = 0; // within `inner`
  std::int64_t between = static_cast<std::int64_t>(size()), within = 0;
  while (between > narrow) {
    const float middle = inner + (outer - inner) / 2;
    if (middle <= inner || middle >= outer)
      break; // all of them are equally near
    const auto found = kernels_.mass_within(near(centre, middle));
    if (found.mass >= target) {
      outer = middle;
      between = found.count - within;
    } else {
      between -= found.count - within;
      inner = middle;
      mass = found.mass;
      within = found.count;
    }
  }
  const auto off = [&](const scored_candidate &c) {
    return std::fabs(c.score - centre);
  };
  const auto edge = band(centre, inner, outer);
  std::ranges::sort(edge, [&](const auto &a, const auto &b) {
    return off(a) != off(b) ? off(a) < off(b) : a.token > b.token;
  });
  std::size_t kept = 0;
  for (; kept < edge.size() && mass < target; ++kept)
    mass += weights_[static_cast<std::size_t>(edge[kept].token)];
  if (kept == 0)
    return; // the whole mass, summed in another order, is short of the target
  const float radius = off(edge[kept - 1]);
  for (std::size_t i = kept;
       !with_equals && i < edge.size() && off(edge[i]) == radius; ++i)
    scores_[static_cast<std::size_t>(edge[i].token)] = -INFINITY;
  keep_within(centre, radius);
}

} // namespace ganglion::runtime

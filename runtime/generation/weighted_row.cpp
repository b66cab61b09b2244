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
      all_tokens_(in.tokens),
      places_(in.places),
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
      all_tokens_(in.tokens),
      tokens_(in.tokens.first(from.size())),
      places_(in.places),
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
  return std::log(mass_) - kernels_.moment(near(top_, 0)) / mass_;
}

float weighted_row::highest() const { return std::ranges::max(scores_); }

neuron::mass_args weighted_row::near(float centre, float radius) const {
  return {scores_.data(), weights_.data(), static_cast<std::int64_t>(size()),
          centre, radius};
}

/// Where few scores stay, those are brought together, so that what comes after
/// looks at them alone.
void weighted_row::keep_within(float centre, float radius) {
  const auto kept = static_cast<std::size_t>(
      kernels_.places_within(near(centre, radius), -1.0f, places_.data()));
  if (kept > size() / 4) {
    mass_ = kernels_.mask_outside(near(centre, radius));
    return;
  }
  const auto tokens = all_tokens_.first(kept);
  mass_ = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    const auto place = static_cast<std::size_t>(places_[i]);
    tokens[i] = token(place); // before it may be written: i <= place
    scores_[i] = scores_[place];
    weights_[i] = weights_[place];
    mass_ += weights_[i];
  }
  tokens_ = tokens;
  scores_ = scores_.first(kept);
  weights_ = weights_.first(kept);
}

/// Looks at several radii at once until few scores are left in the range, or
/// only those that are equally near.
void weighted_row::narrow_down(float centre, double target,
                               edge_range &edge) const {
  constexpr int n = neuron::nested_masses::radii;
  float radii[n] = {1, 2, 3.5f, 5, 7, 9, 12, 20}; // most edges are near
  while (edge.beyond - edge.within > narrow) {
    const auto between = [&](float r) {
      return r > edge.inner && r < edge.outer;
    };
    if (!std::ranges::any_of(radii, between))
      return;
    const auto found = kernels_.masses_within(near(centre, 0), radii);
    for (int j = 0; j < n; ++j) {
      if (!between(radii[j]))
        continue;
      if (found.mass[j] >= target) {
        edge.outer = radii[j];
        edge.beyond = found.count[j];
        break;
      }
      edge.inner = radii[j];
      edge.within = found.count[j];
      edge.mass = found.mass[j];
    }
    for (int j = 0; j < n; ++j)
      radii[j] = edge.inner + (edge.outer - edge.inner) *
                                  (static_cast<float>(j + 1) / (n + 1));
  }
}

/// The scores of `edge`, nearest first, of equally near ones the last; their
/// places stand for tokens.
std::span<scored_candidate> weighted_row::sorted(float centre,
                                                 const edge_range &edge) {
  const auto found = static_cast<std::size_t>(kernels_.places_within(
      near(centre, edge.outer), edge.inner, places_.data()));
  for (std::size_t i = 0; i < found; ++i)
    candidates_[i] = {scores_[static_cast<std::size_t>(places_[i])],
                      places_[i]};
  const auto out = candidates_.first(found);
  std::ranges::sort(out, [&](const auto &a, const auto &b) {
    const float to_a = std::fabs(a.score - centre);
    const float to_b = std::fabs(b.score - centre);
    return to_a != to_b ? to_a < to_b : a.token > b.token;
  });
  return out;
}

void weighted_row::keep_nearest(float centre, double share, bool with_equals) {
  const double target = share * mass_;
  edge_range range;
  range.outer = reach;
  range.beyond = static_cast<std::int64_t>(size());
  narrow_down(centre, target, range);
  const auto edge = sorted(centre, range);
  std::size_t kept = 0;
  for (double mass = range.mass; kept < edge.size() && mass < target; ++kept)
    mass += weights_[static_cast<std::size_t>(edge[kept].token)];
  if (kept == 0)
    return; // the whole mass, summed in another order, is short of the target
  const auto off = [&](std::size_t i) {
    return std::fabs(edge[i].score - centre);
  };
  const float radius = off(kept - 1);
  for (std::size_t i = kept;
       !with_equals && i < edge.size() && off(i) == radius; ++i)
    scores_[static_cast<std::size_t>(edge[i].token)] = -INFINITY;
  keep_within(centre, radius);
}

} // namespace ganglion::runtime

#include "runtime/generation/sampler.hpp"

#include "runtime/generation/random.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

void sampler_state::begin(const sampling_parameters &p,
                          std::span<const std::int32_t> history,
                          std::size_t vocabulary) {
  parameters = p;
  seen.clear();
  if (p.repetition_penalty != 1.0f)
    seen.assign(vocabulary, 0);
  for (const std::int32_t token : history)
    append(token);
}

void sampler_state::append(std::int32_t token) {
  last_token = token;
  if (static_cast<std::size_t>(token) < seen.size())
    seen[static_cast<std::size_t>(token)] = 1;
}

namespace {

void penalise(std::span<float> logits, std::size_t first,
              const sampler_state &state) {
  if (state.seen.empty())
    return;
  const float penalty = state.parameters.repetition_penalty;
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (state.seen[first + i])
      logits[i] = logits[i] > 0 ? logits[i] / penalty : logits[i] * penalty;
}

constexpr auto part_size = static_cast<std::size_t>(neuron::scan_part);

} // namespace

sampler::sampler(std::size_t vocabulary, const neuron::kernel_set &kernels)
    : kernels_(kernels),
      candidates_(vocabulary) {}

std::size_t sampler::parts() const {
  return (candidates_.size() + part_size - 1) / part_size;
}

neuron::vocabulary_scan sampler::scan(std::span<float> logits,
                                      const sampler_state &state,
                                      std::size_t part) const {
  const std::size_t first = part * part_size;
  const auto mine =
      logits.subspan(first, std::min(part_size, logits.size() - first));
  penalise(mine, first, state);
  return kernels_.scan(mine.data(), static_cast<std::int64_t>(mine.size()));
}

chosen_token sampler::choose(std::span<const float> logits,
                             std::span<const neuron::vocabulary_scan> scans,
                             const sampler_state &state,
                             std::int64_t position) {
  const sampling_parameters &p = state.parameters;
  const neuron::vocabulary_scan scan = neuron::joined_scan(
      scans.data(), static_cast<std::int64_t>(scans.size()));
  std::int32_t best = scan.argmax;
  if (p.do_sample) {
    const std::uint64_t key =
        choice_key(p.seed, 0, static_cast<std::uint64_t>(position));
    float highest = -INFINITY;
    for (const candidate &c : kept(logits, p)) {
      const float noisy =
          c.score + gumbel_noise(key, static_cast<std::uint64_t>(c.token));
      if (noisy > highest || (noisy == highest && c.token < best)) {
        highest = noisy;
        best = c.token;
      }
    }
  }
  return {best, logits[static_cast<std::size_t>(best)] - scan.max -
                    std::log(scan.sum_exp)};
}

std::span<sampler::candidate> sampler::kept(std::span<const float> logits,
                                            const sampling_parameters &p) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    candidates_[count++] = {logits[i] / p.temperature,
                            static_cast<std::int32_t>(i)};
  std::span<candidate> all(candidates_.data(), count);
  const auto higher = [](const candidate &a, const candidate &b) {
    return a.score > b.score;
  };
  if (p.top_k > 0 && static_cast<std::size_t>(p.top_k) < count) {
    std::nth_element(all.begin(), all.begin() + (p.top_k - 1), all.end(),
                     higher);
    // HuggingFace keeps every token that ties with the k-th.
    const float threshold = all[static_cast<std::size_t>(p.top_k - 1)].score;
    const auto end = std::partition(
        all.begin() + p.top_k, all.end(),
        [&](const candidate &c) { return c.score == threshold; });
    all = all.first(static_cast<std::size_t>(end - all.begin()));
  }
  return p.top_p < 1.0f ? nucleus(all, p.top_p) : all;
}

std::span<sampler::candidate> sampler::nucleus(std::span<candidate> from,
                                               float top_p) {
  const auto before = [](const candidate &a, const candidate &b) {
    return a.score != b.score ? a.score > b.score : a.token < b.token;
  };
  float top = -INFINITY;
  for (const candidate &c : from)
    top = std::max(top, c.score);
  double total = 0;
  for (const candidate &c : from)
    total += std::exp(double(c.score) - top);
  // The nucleus is usually small: sort ever larger prefixes until it fits.
  double mass = 0;
  std::size_t sorted = 0;
  while (sorted < from.size()) {
    const std::size_t next =
        std::min(from.size(), std::max<std::size_t>(64, sorted * 8));
    if (next < from.size())
      std::nth_element(from.begin() + sorted, from.begin() + next, from.end(),
                       before);
    std::sort(from.begin() + sorted, from.begin() + next, before);
    for (; sorted < next; ++sorted) {
      // A token stays while the mass of those before it is below top_p.
      if (sorted > 0 && mass >= double(top_p) * total)
        return from.first(sorted);
      mass += std::exp(double(from[sorted].score) - top);
    }
  }
  return from;
}

} // namespace ganglion::runtime

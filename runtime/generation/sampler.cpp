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

constexpr auto part_size = static_cast<std::size_t>(neuron::scan_part);
constexpr auto block_size = static_cast<std::size_t>(neuron::scan_block);

/// What is subtracted from a score to make it a log-probability.
double log_sum_of(std::span<const neuron::vocabulary_scan> parts) {
  const auto whole = neuron::joined_scan(
      parts.data(), static_cast<std::int64_t>(parts.size()));
  return whole.max + std::log(whole.sum_exp);
}

} // namespace

sampler::sampler(std::size_t vocabulary, const neuron::kernel_set &kernels)
    : kernels_(kernels),
      candidates_(vocabulary),
      scores_(vocabulary),
      maxima_((vocabulary + block_size - 1) / block_size),
      score_maxima_(maxima_.size()) {}

std::size_t sampler::parts() const {
  return (candidates_.size() + part_size - 1) / part_size;
}

neuron::vocabulary_scan sampler::scan(std::span<const float> logits,
                                      std::size_t part,
                                      std::span<float> block_max) const {
  const std::size_t first = part * part_size;
  const auto mine =
      logits.subspan(first, std::min(part_size, logits.size() - first));
  return kernels_.scan(mine.data(), static_cast<std::int64_t>(mine.size()),
                       block_max.data() + first / block_size);
}

score_row sampler::processed(const scanned_row &row,
                             const sampler_state &state) {
  if (state.seen.empty())
    return {row.logits, row.block_max};
  const float penalty = state.parameters.repetition_penalty;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const float x = row.logits[i];
    scores_[i] = !state.seen[i] ? x : x > 0 ? x / penalty : x * penalty;
  }
  for (std::size_t part = 0; part < parts(); ++part)
    scan(scores_, part, score_maxima_);
  return {scores_, score_maxima_};
}

chosen_token sampler::choose(const scanned_row &row, const sampler_state &state,
                             std::int64_t position,
                             std::span<token_score> top) {
  const sampling_parameters &p = state.parameters;
  const score_row scores = processed(row, state);
  std::int32_t token = 0;
  if (p.do_sample)
    token = draw(kept(scores.scores, p), p, position);
  else
    token = scores.argmax();
  return score(row, token, top);
}

chosen_token sampler::score(const scanned_row &row, std::int32_t token,
                            std::span<token_score> top) {
  const double log_sum = log_sum_of(row.parts);
  const double logit = row.logits[static_cast<std::size_t>(token)];
  return {token, static_cast<float>(logit - log_sum),
          best({row.logits, row.block_max}, log_sum, top)};
}

std::int32_t sampler::best(const score_row &row, double log_sum,
                           std::span<token_score> top) {
  if (top.empty())
    return 0;
  const auto found = row.best(top.size(), candidates_, maxima_);
  const auto count = std::min(top.size(), found.size());
  std::partial_sort(found.begin(),
                    found.begin() + static_cast<std::ptrdiff_t>(count),
                    found.end(), comes_before);
  for (std::size_t i = 0; i < count; ++i)
    top[i] = {found[i].token, static_cast<float>(found[i].score - log_sum)};
  return static_cast<std::int32_t>(count);
}

std::int32_t sampler::draw(std::span<const scored_candidate> from,
                           const sampling_parameters &p,
                           std::int64_t position) const {
  const std::uint64_t key =
      choice_key(p.seed, p.choice, static_cast<std::uint64_t>(position));
  std::int32_t best = 0;
  float highest = -INFINITY;
  for (const auto &c : from) {
    const float noisy =
        c.score + gumbel_noise(key, static_cast<std::uint64_t>(c.token));
    if (noisy > highest || (noisy == highest && c.token < best)) {
      highest = noisy;
      best = c.token;
    }
  }
  return best;
}

std::span<scored_candidate> sampler::kept(std::span<const float> logits,
                                          const sampling_parameters &p) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    candidates_[count++] = {logits[i] / p.temperature,
                            static_cast<std::int32_t>(i)};
  std::span<scored_candidate> all(candidates_.data(), count);
  const auto higher = [](const scored_candidate &a, const scored_candidate &b) {
    return a.score > b.score;
  };
  if (p.top_k > 0 && static_cast<std::size_t>(p.top_k) < count) {
    std::nth_element(all.begin(), all.begin() + (p.top_k - 1), all.end(),
                     higher);
    // HuggingFace keeps every token that ties with the k-th.
    const float threshold = all[static_cast<std::size_t>(p.top_k - 1)].score;
    const auto end = std::partition(
        all.begin() + p.top_k, all.end(),
        [&](const scored_candidate &c) { return c.score == threshold; });
    all = all.first(static_cast<std::size_t>(end - all.begin()));
  }
  return p.top_p < 1.0f ? nucleus(all, p.top_p) : all;
}

std::span<scored_candidate> sampler::nucleus(std::span<scored_candidate> from,
                                             float top_p) {
  const auto before = [](const scored_candidate &a, const scored_candidate &b) {
    return a.score != b.score ? a.score > b.score : a.token < b.token;
  };
  float top = -INFINITY;
  for (const scored_candidate &c : from)
    top = std::max(top, c.score);
  double total = 0;
  for (const scored_candidate &c : from)
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

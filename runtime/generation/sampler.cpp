#include "runtime/generation/sampler.hpp"

#include "runtime/generation/grammar_mask.hpp"
#include "runtime/generation/processors.hpp"
#include "runtime/generation/random.hpp"
#include "runtime/generation/warpers.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

constexpr auto part_size = static_cast<std::size_t>(neuron::scan_part);
constexpr auto block_size = static_cast<std::size_t>(neuron::scan_block);

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The best of the tokens that were drawn for so far.
struct race {
  const weighted_row &row;
  std::uint64_t key;
  double highest = -INFINITY;
  std::int32_t winner = 0;
  /// A token can win only if its 1 - u is less than its weight times this.
  double bound = INFINITY;

  void enter(std::size_t place) {
    const std::int32_t token = row.token(place);
    const double noisy = double(row.scores()[place]) +
                         gumbel_noise(key, static_cast<std::uint64_t>(token));
    if (!(noisy > highest))
      return; // places ascend with tokens: the lower of equals is first
    highest = noisy;
    winner = token;
    // The exponential noise of a winner is less than weight * e^(top -
    // highest), and 1 - u is not more; weights are rounded.
    bound = std::exp(row.top() - highest) * (1 + 1e-5);
  }
};

} // namespace

sampler::sampler(std::size_t vocabulary, const neuron::kernel_set &kernels)
    : kernels_(kernels),
      scores_(vocabulary),
      drawn_(vocabulary),
      weights_(vocabulary),
      tokens_(vocabulary),
      places_(vocabulary),
      candidates_(vocabulary),
      maxima_(divide_up(vocabulary, block_size)),
      score_maxima_(maxima_.size()),
      parts_(divide_up(vocabulary, part_size)),
      allowed_(maxima_.size()) {}

neuron::vocabulary_scan sampler::scan(std::span<const float> logits,
                                      std::size_t part,
                                      std::span<float> block_max) const {
  const std::size_t first = part * part_size;
  const auto mine =
      logits.subspan(first, std::min(part_size, logits.size() - first));
  return kernels_.scan(mine.data(), static_cast<std::int64_t>(mine.size()),
                       block_max.data() + first / block_size);
}

/// The scores after processors, in scratch memory unless there are none.
/// What a grammar forbids comes last: nothing lifts it.
score_row sampler::processed(const scanned_row &row, const sampler_state &state,
                             token_status &status) {
  if (!state.has_processors())
    return {row.logits, row.block_max};
  std::ranges::copy(row.logits, scores_.begin());
  std::ranges::copy(row.block_max, score_maxima_.begin());
  score_editor edited(scores_, score_maxima_);
  apply_processors(state, edited, candidates_);
  status = apply_grammar(state, edited, allowed_);
  return edited.row();
}

weighing_scratch sampler::weighing() {
  return {drawn_, weights_, tokens_, places_, candidates_};
}

chosen_token sampler::choose(const scanned_row &row, const sampler_state &state,
                             std::int64_t position,
                             std::span<token_score> top) {
  const auto whole = neuron::joined_scan(
      row.parts.data(), static_cast<std::int64_t>(row.parts.size()));
  if (!(whole.sum_exp > 0))
    return {.status = token_status::not_finite};
  if (state.beam_scores())
    return beam_scores(row, state, whole.max + std::log(whole.sum_exp), top);
  auto status = token_status::ok;
  const score_row scores = processed(row, state, status);
  if (status != token_status::ok)
    return {.status = status};
  const std::int32_t best = scores.argmax();
  if (scores.scores[static_cast<std::size_t>(best)] == -INFINITY)
    return {.status = token_status::none_left};
  const auto &p = state.parameters();
  if (!p.do_sample)
    return score(state.processed_logprobs() ? rescanned(scores.scores) : row,
                 best, top);
  const auto left = warped(kernels_, weighing(), scores, maxima_, p);
  const auto token =
      draw(left, choice_key(p.seed, state.choice(),
                            static_cast<std::uint64_t>(position)));
  return score(state.processed_logprobs() ? rescanned(spread(left)) : row,
               token, top);
}

/// HuggingFace's processors see log-probabilities here, and what they leave is
/// not normalised again.
chosen_token sampler::beam_scores(const scanned_row &row,
                                  const sampler_state &state, double log_sum,
                                  std::span<token_score> top) {
  const auto less = [&](float x) { return static_cast<float>(x - log_sum); };
  std::ranges::transform(row.logits, scores_.begin(), less);
  std::ranges::transform(row.block_max, score_maxima_.begin(), less);
  score_editor edited(scores_, score_maxima_);
  apply_processors(state, edited, candidates_);
  return {.top_count = best(edited.row(), 0, top)};
}

std::int32_t sampler::draw(const weighted_row &row, std::uint64_t key) const {
  race r{row, key};
  const std::size_t size = row.size();
  if (row.whole()) {
    const auto next = [&](std::size_t from) {
      return static_cast<std::size_t>(kernels_.first_contender(
          row.weights().data(), static_cast<std::int64_t>(from),
          static_cast<std::int64_t>(size), key, r.bound));
    };
    for (std::size_t i = next(0); i < size; i = next(i + 1))
      r.enter(i);
    return r.winner;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const auto token = static_cast<std::uint64_t>(row.token(i));
    if (neuron::noise_complement(key, token) <
        double(row.weights()[i]) * r.bound)
      r.enter(i);
  }
  return r.winner;
}

/// The scores of a whole vocabulary; what was left out is -infinite.
std::span<const float> sampler::spread(const weighted_row &row) {
  if (row.whole())
    return row.scores();
  std::ranges::fill(scores_, -INFINITY);
  for (std::size_t i = 0; i < row.size(); ++i)
    scores_[static_cast<std::size_t>(row.token(i))] = row.scores()[i];
  return scores_;
}

scanned_row sampler::rescanned(std::span<const float> scores) {
  for (std::size_t part = 0; part < parts(); ++part)
    parts_[part] = scan(scores, part, score_maxima_);
  return {scores, parts_, score_maxima_};
}

chosen_token sampler::score(const scanned_row &row, std::int32_t token,
                            std::span<token_score> top) {
  const auto whole = neuron::joined_scan(
      row.parts.data(), static_cast<std::int64_t>(row.parts.size()));
  if (!(whole.sum_exp > 0))
    return {.status = token_status::not_finite};
  const double log_sum = whole.max + std::log(whole.sum_exp);
  const double logit = row.logits[static_cast<std::size_t>(token)];
  return {token, static_cast<float>(logit - log_sum),
          best({row.logits, row.block_max}, log_sum, top)};
}

/// Writes the likeliest tokens; returns how many.
std::int32_t sampler::best(const score_row &row, double log_sum,
                           std::span<token_score> top) {
  if (top.empty())
    return 0;
  const auto found = row.best(top.size(), candidates_, maxima_);
  const auto count = std::min(top.size(), found.size());
  std::partial_sort(found.begin(),
                    found.begin() + static_cast<std::ptrdiff_t>(count),
                    found.end(), comes_before);
  std::int32_t written = 0;
  for (const auto &[score, token] : found.first(count))
    if (score != -INFINITY)
      top[static_cast<std::size_t>(written++)] = {
          token, static_cast<float>(score - log_sum)};
  return written;
}

} // namespace ganglion::runtime

#include "runtime/generation/processors.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

void repetition(const sampler_state &state, score_editor &scores) {
  const float penalty = state.parameters().repetition_penalty;
  if (penalty == 1.0f)
    return;
  for (const auto &seen : state.counts().entries()) {
    const float x = scores.at(seen.token);
    scores.set(seen.token, x < 0 ? x * penalty : x / penalty);
  }
}

void frequency_and_presence(const sampler_state &state, score_editor &scores) {
  const float frequency = state.parameters().frequency_penalty;
  const float presence = state.parameters().presence_penalty;
  if (frequency == 0.0f && presence == 0.0f)
    return;
  for (const auto &seen : state.counts().entries())
    if (seen.generated > 0)
      scores.set(seen.token,
                 scores.at(seen.token) -
                     frequency * static_cast<float>(seen.generated) - presence);
}

/// A token that would end an n-gram that was there before.
void no_repeat_ngram(const sampler_state &state, score_editor &scores) {
  const auto size =
      static_cast<std::size_t>(state.parameters().no_repeat_ngram_size);
  const auto tokens = state.tokens();
  if (size == 0 || tokens.size() + 1 < size)
    return;
  const auto current = tokens.last(size - 1);
  for (std::size_t i = 0; i + size <= tokens.size(); ++i)
    if (std::ranges::equal(tokens.subspan(i, size - 1), current))
      scores.mask(tokens[i + size - 1]);
}

/// A sequence of several tokens is looked for only once there are as many, as
/// HuggingFace does.
void bad_words(const sampler_state &state, const token_rules &rules,
               score_editor &scores) {
  const auto tokens = state.tokens();
  for (const auto &word : rules.bad_words_ids) {
    const std::span<const std::int32_t> start(word.data(), word.size() - 1);
    if (start.empty() || (word.size() <= tokens.size() &&
                          std::ranges::equal(tokens.last(start.size()), start)))
      scores.mask(word.back());
  }
}

void mask_each(const std::vector<std::int32_t> &tokens, score_editor &scores) {
  for (const std::int32_t token : tokens)
    scores.mask(token);
}

void forced(const sampler_state &state, const token_rules &rules,
            score_editor &scores) {
  const std::size_t length = state.tokens().size();
  if (rules.forced_bos_token_id && length == 1)
    scores.force({&*rules.forced_bos_token_id, 1});
  if (!rules.forced_eos_token_id.empty() && length + 1 == state.max_length())
    scores.force(rules.forced_eos_token_id);
}

/// After a prompt of one token and a forced one, the second is the first that
/// the model chooses.
bool begins(const sampler_state &state, const token_rules &rules) {
  const bool one_later =
      state.prompt_length() == 1 && rules.forced_bos_token_id.has_value();
  return state.generated() == (one_later ? 1u : 0u);
}

void apply_rules(const sampler_state &state, const token_rules &rules,
                 score_editor &scores, std::span<scored_candidate> scratch) {
  bad_words(state, rules, scores);
  if (!rules.allowed_token_ids.empty())
    scores.mask_all_but(rules.allowed_token_ids, scratch);
  for (const token_bias &b : rules.logit_bias)
    scores.set(b.token, scores.at(b.token) + b.bias);
  if (static_cast<std::int64_t>(state.generated()) <
      state.parameters().min_new_tokens)
    mask_each(rules.end_token_ids, scores);
  forced(state, rules, scores);
  mask_each(rules.suppress_tokens, scores);
  if (begins(state, rules))
    mask_each(rules.begin_suppress_tokens, scores);
}

} // namespace

void apply_processors(const sampler_state &state, score_editor &scores,
                      std::span<scored_candidate> scratch) {
  repetition(state, scores);
  frequency_and_presence(state, scores);
  no_repeat_ngram(state, scores);
  if (state.parameters().rules)
    apply_rules(state, *state.parameters().rules, scores, scratch);
}

} // namespace ganglion::runtime

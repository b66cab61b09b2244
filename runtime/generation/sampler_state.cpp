#include "runtime/generation/sampler_state.hpp"

#include <algorithm>

namespace ganglion::runtime {

bool sampler_state::counts_tokens() const {
  const sampling_parameters &p = is_.parameters;
  return p.repetition_penalty != 1.0f || p.frequency_penalty != 0.0f ||
         p.presence_penalty != 0.0f;
}

void sampler_state::begin(const sampled_sequence &sequence,
                          std::span<const std::int32_t> history,
                          std::size_t vocabulary) {
  is_ = sequence;
  const sampling_parameters &p = is_.parameters;
  has_processors_ =
      counts_tokens() || p.no_repeat_ngram_size > 0 || p.rules || p.grammar;
  const std::size_t capacity = std::max(is_.max_length, history.size()) + 1;
  tokens_.clear();
  tokens_.reserve(capacity);
  if (counts_tokens())
    counts_.begin(vocabulary, capacity);
  grammar_.begin(p.grammar, {},
                 capacity - std::min(capacity, is_.prompt_length));
  for (const std::int32_t token : history)
    append(token);
}

void sampler_state::append(std::int32_t token) {
  if (counts_tokens())
    counts_.add(token, tokens_.size() >= is_.prompt_length);
  if (grammar_ && tokens_.size() >= is_.prompt_length)
    grammar_.append(token);
  tokens_.push_back(token);
}

void sampler_state::roll_back(std::size_t count) {
  if (grammar_)
    grammar_.roll_back(count);
  for (; count > 0; --count) {
    const std::int32_t token = tokens_.back();
    tokens_.pop_back();
    if (counts_tokens())
      counts_.remove(token, tokens_.size() >= is_.prompt_length);
  }
}

} // namespace ganglion::runtime

#include "runtime/generation/grammar_mask.hpp"

namespace ganglion::runtime {

token_status apply_grammar(const sampler_state &state, score_editor &scores,
                           std::span<std::uint64_t> allowed) {
  if (!state.grammar())
    return token_status::ok;
  bool accepted = false;
  if (state.grammar().allowed(allowed, accepted) != grammar::match_status::ok)
    return token_status::too_complex;
  for (const std::int32_t id : state.parameters().rules->end_token_ids) {
    const auto word = static_cast<std::size_t>(id) / 64;
    const auto bit = std::uint64_t{1} << (id % 64);
    if (word < allowed.size())
      allowed[word] = accepted ? allowed[word] | bit : allowed[word] & ~bit;
  }
  scores.keep(allowed);
  return token_status::ok;
}

} // namespace ganglion::runtime

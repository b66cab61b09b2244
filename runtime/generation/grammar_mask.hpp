// Leaves of a row of scores what the sequence's grammar allows.
#pragma once

#include "runtime/generation/sampler_state.hpp"
#include "runtime/generation/score_editor.hpp"
#include "runtime/generation/token_score.hpp"

#include <cstdint>
#include <span>

namespace ganglion::runtime {

/// Masks all tokens that no text of the grammar goes on with. Those that end
/// the text stay exactly where it may end. `allowed` is scratch memory of a bit
/// for each token. Not ok where the grammar cannot tell: then nothing may be
/// chosen.
token_status apply_grammar(const sampler_state &state, score_editor &scores,
                           std::span<std::uint64_t> allowed);

} // namespace ganglion::runtime

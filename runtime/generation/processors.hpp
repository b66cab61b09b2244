// HuggingFace's logits processors: what changes scores before anything is
// drawn from them, in the order of docs/sampling.md.
#pragma once

#include "runtime/generation/sampler_state.hpp"
#include "runtime/generation/score_editor.hpp"

#include <span>

namespace ganglion::runtime {

/// Applies all processors that the sequence asks for to the scores of its next
/// token. `scratch` has room for the vocabulary. Allocates nothing.
void apply_processors(const sampler_state &state, score_editor &scores,
                      std::span<scored_candidate> scratch);

} // namespace ganglion::runtime

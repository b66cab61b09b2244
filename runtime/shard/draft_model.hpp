// The configuration of a draft model: that of the large one, with the same
// slots, steps and KV blocks.
#pragma once

#include "runtime/shard/rank_runner.hpp"

namespace ganglion::runtime {

/// Reads the draft's config.json. Throws `invalid_argument` naming the option
/// that does not fit: another vocabulary, fewer positions, a degree that is
/// neither 1 nor the large model's.
engine_config draft_config(const engine_config &config,
                           const shared_model &large);

/// Throws `internal` unless plans for `large` are plans for `draft`.
void check_same_blocks(const model_plan &large, const model_plan &draft);

} // namespace ganglion::runtime

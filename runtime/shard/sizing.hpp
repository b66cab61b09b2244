// What a model takes at every degree that an instance permits, from its
// configuration alone.
#pragma once

#include "runtime/shard/model_plan.hpp"

#include <string>
#include <vector>

namespace ganglion::runtime {

/// One degree. Bytes are of one core: weights and the KV cache of a full
/// batch.
struct degree_size {
  std::int64_t tp_degree = 1;
  std::size_t weight_bytes = 0, cache_bytes = 0, core_budget = 0;
  std::int64_t padded_heads = 0; ///< heads of zeros among all ranks
  std::string refusal = {};      ///< why no start can have this degree

  std::size_t bytes() const { return weight_bytes + cache_bytes; }
  bool possible() const { return refusal.empty(); }
  bool fits() const { return possible() && bytes() <= core_budget; }
};

/// All degrees of the configured instance that the model's heads permit with
/// padding; on the host those that divide the heads, up to 8. Distributed
/// experts leave those that divide them. A degree that `plan_model` refuses
/// with the other options is there with its words and without sizes.
std::vector<degree_size> sizes_of(const hlo::decoder_spec &spec,
                                  const engine_config &config);

} // namespace ganglion::runtime

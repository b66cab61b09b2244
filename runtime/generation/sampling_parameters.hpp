// How the next token of a sequence is chosen.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

/// Plain data; `validate_sampling` in generation_request.hpp checks ranges.
struct sampling_parameters {
  bool do_sample = false;          ///< false: greedy
  float temperature = 1.0f;        ///< > 0
  std::int32_t top_k = 0;          ///< 0: off
  float top_p = 1.0f;              ///< (0, 1]; 1: off
  float repetition_penalty = 1.0f; ///< > 0; 1: off
  std::uint64_t seed = 0;
};

} // namespace ganglion::runtime

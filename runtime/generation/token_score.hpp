// A token and its log-probability.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

struct token_score {
  std::int32_t token = 0;
  float logprob = 0;
};

} // namespace ganglion::runtime

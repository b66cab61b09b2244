// A token and its log-probability, or why there is none.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

/// Whether there is a token, or why not.
enum class token_status : std::int32_t {
  ok,
  not_finite,  ///< a logit is NaN or infinite
  none_left,   ///< no token is allowed
  too_complex, ///< the grammar's limits do not let it tell what is allowed
  unreached,   ///< a guessed token before it was wrong
};

struct token_score {
  std::int32_t token = 0;
  float logprob = 0;
};

} // namespace ganglion::runtime

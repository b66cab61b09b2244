// Parameters that are tokens, alone or with a bias.
#pragma once

#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/json/reader.hpp"

#include <vector>

namespace ganglion::apps {

/// Appends one token id or a list of them.
void add_token_ids(std::vector<std::int32_t> &to, const json::value &v);

/// Appends the members of {"token id": bias}, as OpenAI has it. Throws
/// `invalid_argument` for a name that is no token id.
void add_token_biases(std::vector<runtime::token_bias> &to,
                      const json::value &v);

} // namespace ganglion::apps

// Lists of token ids in JSON.
#pragma once

#include "runtime/json/reader.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::apps {

/// Throws `invalid_argument` for what is no list of ids.
std::vector<std::int32_t> token_ids(const json::value &list);

} // namespace ganglion::apps

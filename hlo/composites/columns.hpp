// Parts of rows: what one product made for several uses.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// Columns [first, first + count) of `x` [T, N] -> [T, count], as they are.
value take_columns(builder &b, value x, std::int64_t first, std::int64_t count);

} // namespace ganglion::hlo

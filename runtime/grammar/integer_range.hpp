// Whole numbers between bounds, in decimal.
#pragma once

#include "runtime/grammar/builder.hpp"

#include <optional>

namespace ganglion::runtime::grammar {

/// The largest whole number that is written: 18 digits.
inline constexpr std::int64_t largest_integer = 999'999'999'999'999'999;

/// Both bounds are included, `least` <= `most`, and neither is beyond
/// `largest_integer` in size.
expr integer_range(builder &to, std::int64_t least, std::int64_t most);

} // namespace ganglion::runtime::grammar

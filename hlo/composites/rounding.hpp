// Rounding of f32 values where no other composite does it.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// `x` f32 [T, ...] -> `out` of the same dimensions. `saturate`: what would
/// become infinite becomes the largest finite value.
value round_rows(builder &b, value x, element_type out, bool saturate = false);

/// `x` f32 [T, H] rounded to `through` and widened again.
value round_through(builder &b, value x, element_type through);

/// The largest finite value of a storage type.
double largest_finite(element_type type);

} // namespace ganglion::hlo

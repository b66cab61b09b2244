// The same elements in another order: tiled weights as matrices, and caches as
// their kernels see them. A device may keep a parameter in the other order to
// begin with, and then they cost nothing.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// How the parameter of a weight [N, K] is cut into tiles of 128.
enum class tiling {
  none,    ///< [N, K]
  outputs, ///< [N / 128, 128, K]
  blocks,  ///< [128, N / 128, K / 128, 128]: inputs within, outputs within last
};

inline constexpr std::int64_t tile_width = 128;

/// Dimensions of the parameter of a weight; N and K rounded up to tiles.
dims tiled(tiling how, const dims &matrix);

/// Of `tiles`, of rank 3 or 4 as above, the matrix [N, K].
value untiled(builder &b, value tiles, const dims &matrix);

/// `x` with dimension i of the result being dimension `order`[i] of x.
value relaid(builder &b, value x, const dims &order);

/// Where the dimensions go that came from `order`.
dims inverse(const dims &order);

/// The order of a `relaid` call.
dims order_of(const instruction &relaid);

} // namespace ganglion::hlo

// Writing keys and values into the paged cache.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// The key cache of one layer and rank is [blocks, kv heads, d, positions]:
/// positions vary fastest, so that a score kernel reads one element of many
/// keys at once. The value cache is [blocks, kv heads, positions, d].

/// A cache of s8 keeps every head's row in units of its own scale, max |x| /
/// 127, rounded half to even. The scales are an f32 array beside it: [blocks,
/// kv heads, positions].

/// Stores row t of `keys` [T, kv heads, d] at `slots`[t] = block * positions +
/// offset of `cache`; a slot past the pool is dropped (padding rows). Returns
/// the new cache, which shares memory with the old one.
value write_keys(builder &b, value keys, value slots, value cache);

/// The same for values [T, kv heads, d].
value write_values(builder &b, value values, value slots, value cache);

/// Stores the scale of every head of row t of `rows` [T, kv heads, d], keys or
/// values, where a cache of s8 keeps the row itself.
value write_scales(builder &b, value rows, value slots, value scales);

} // namespace ganglion::hlo

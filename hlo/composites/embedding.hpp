// Rows of a table by index: token and learned-position embeddings, and the
// rows whose logits are wanted.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// `ids` s32 [T], `table` [V, H] of any floating type -> f32 [T, H]. An id
/// outside [0, V) reads the nearest row, as a gather does.
value embedding(builder &b, value ids, value table);

/// `rows` s32 [R], `x` f32 [T, H] -> f32 [R, H].
value take_rows(builder &b, value rows, value x);

} // namespace ganglion::hlo

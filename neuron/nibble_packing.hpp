// Int4 weights: their making from the floats of a checkpoint, and how they are
// packed.
#pragma once

#include "hlo/support/float_types.hpp"
#include "neuron/packing.hpp"

namespace ganglion::neuron {

/// The numbers from -7 to 7 and the scales of `source`'s rows: `codes` [rows,
/// columns], `scales` [rows, ceil(columns / group)]. A scale is the largest
/// |w| of its group over 7, rounded to f16; a number is w over that, rounded
/// half to even, and 0 where the scale is 0. So a weight is off by half of its
/// scale at most, beside the largest of a group, which may be off by the
/// rounding of its scale. Throws `corrupt_data` at `where` for weights that are
/// not finite or need a larger scale than f16 has. Runs on oneTBB's threads.
void int4_codes(const weight_source &source, std::int64_t group,
                const std::string &where, std::int8_t *codes, float16 *scales);

/// `parts` of s8 from -8 to 7, whose rows follow each other, as the panels of
/// nibble_panel.hpp of a matrix of as many rows.
void pack_nibbles(std::span<const weight_source> parts, matrix_size size,
                  std::byte *out);

} // namespace ganglion::neuron

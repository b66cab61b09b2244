// The order in which independent instructions run: found by trying some.
#pragma once

#include "neuron/compiler/compiler.hpp"

namespace ganglion::neuron {

/// Puts the entry of `m`, which `optimise` has been through, into the order
/// whose program has the fewest meetings of a team, then the smallest arena:
/// as it is, by distance from the inputs, or by distance from the result. Each
/// is lowered once. Results are the same by bits.
void choose_order(hlo::module &m, const compile_options &options);

} // namespace ganglion::neuron

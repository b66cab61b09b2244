// Runs a module once on the host device, all its partitions as ranks: for
// modules from files. Models run through programs that are bound once.
#pragma once

#include "hlo/module.hpp"
#include "neuron/compiler/compiler.hpp"

#include <vector>

namespace ganglion::neuron {

/// Compiles `m` and runs it, one thread per partition. `arguments[p]` are the
/// parameters of partition p; each result holds the arrays of the root in
/// order, through tuples. Rows that a live count bounds (see hlo/decoder) are
/// all computed. Throws `invalid_argument` for arguments of other shapes and
/// for indices of caches that are not there, and what `compile` and `program`
/// throw.
std::vector<std::vector<hlo::literal>>
run_module(const hlo::module &m,
           const std::vector<std::vector<hlo::literal>> &arguments,
           const compile_options &options);

} // namespace ganglion::neuron

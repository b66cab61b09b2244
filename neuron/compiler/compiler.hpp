// Turns a module into a program for the host device.
#pragma once

#include "hlo/module.hpp"
#include "neuron/program.hpp"

namespace ganglion::neuron {

struct compile_options {
  isa set = isa::portable;
};

/// Compiles the entry of `source`, which is not changed. Composites with a
/// kernel for their shapes and types run it; others, and products whose weight
/// is not a parameter or is used in another way too, run their bodies. `while`
/// and `conditional` run in the evaluator. Throws `unsupported` naming an
/// instruction that the device cannot run: collectives of other than f32
/// [rows, n], or that combine otherwise than by sums, sums over other groups
/// than all ranks, collectives within control flow, tuples as parameters.
std::shared_ptr<const program> compile(const hlo::module &source,
                                       const compile_options &options);

} // namespace ganglion::neuron

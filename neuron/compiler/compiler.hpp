// Turns a module into a program for the host device.
#pragma once

#include "hlo/module.hpp"
#include "neuron/program.hpp"

namespace ganglion::neuron {

struct compile_options {
  isa set = isa::portable;
};

/// Compiles the entry of `source`, which is not changed. Composites with a
/// kernel run it; others, and composites whose weights are not parameters,
/// run their bodies. Throws `unsupported` naming an instruction that the
/// device cannot run.
std::shared_ptr<const program> compile(const hlo::module &source,
                                       const compile_options &options);

} // namespace ganglion::neuron

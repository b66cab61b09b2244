// Turns a module into a program for the host device.
#pragma once

#include "hlo/module.hpp"
#include "neuron/program.hpp"

#include <string>
#include <string_view>

namespace ganglion::neuron {

/// How much work goes into a program: 1 runs the graph as it was built, with
/// transposes and all; 2 simplifies it first; 3 also tries several orders of
/// its instructions. Results are the same by bits.
enum class optimize_level { as_built = 1, simplified = 2, ordered = 3 };

struct compile_options {
  isa set = isa::portable;
  /// Elements of a step's rows up to which every member of a team computes
  /// what goes row by row for itself, which takes less time than a meeting.
  std::int64_t repeated_elements = 8192;
  optimize_level level = optimize_level::simplified;
};

/// All options as one line, for keys of compiled artefacts.
std::string to_string(const compile_options &options);

/// What the optimised form of a module and the packing of weights depend on
/// besides their inputs: a new one for every change of the sources.
std::string_view compiler_version();

/// Compiles the entry of `source`, which is not changed. Composites with a
/// kernel for their shapes and types run it; others, and products whose weight
/// is not a parameter or is used in another way too, run their bodies. `while`
/// and `conditional` run in the evaluator. Throws `unsupported` naming an
/// instruction that the device cannot run: collectives of other than f32
/// [rows, n], or that combine otherwise than by sums, sums over other groups
/// than all ranks, collectives within control flow, tuples as parameters.
std::shared_ptr<const program> compile(const hlo::module &source,
                                       const compile_options &options);

/// The first half of `compile`: all passes. The result may be printed, kept
/// and parsed again.
std::unique_ptr<hlo::module> optimise(const hlo::module &source,
                                      const compile_options &options);

/// The second half: a program for a module that `optimise` gave, which it
/// keeps. Throws `unsupported` as `compile` does, and for a call that the
/// device has no kernel for.
std::shared_ptr<const program> lower(std::shared_ptr<hlo::module> optimised,
                                     const compile_options &options);

} // namespace ganglion::neuron

// The reference interpreter: runs a module's entry for all its partitions at
// once. Slow, obviously right, the oracle for everything below.
#pragma once

#include "hlo/module.hpp"

#include <span>
#include <vector>

namespace ganglion::hlo {

struct evaluate_options {
  /// A `while` that runs longer is an error.
  std::int64_t max_iterations = 1'000'000;
};

/// Runs the entry of a module with one partition; a tuple result owns its
/// elements. Composites run their bodies. Throws `invalid_argument` when
/// arguments do not fit the parameters, naming the parameter, and what
/// `evaluate_operation` throws. Any thread may call; the arguments are only
/// read.
literal evaluate(const module &m, std::span<const literal> arguments,
                 const evaluate_options &options = {});

/// The same for `m.num_partitions` partitions in lockstep; `arguments` and the
/// results have one entry per partition.
std::vector<literal>
evaluate_partitions(const module &m,
                    const std::vector<std::vector<literal>> &arguments,
                    const evaluate_options &options = {});

} // namespace ganglion::hlo

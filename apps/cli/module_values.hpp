// The arguments and results of a module as tensors of a safetensors file.
#pragma once

#include "hlo/module.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

/// One entry for each partition.
using module_values = std::vector<std::vector<hlo::literal>>;

/// The parameters of `m`: tensors called like the parameter, for all
/// partitions, or "name*2" for partition 2 alone. A name that is not there may
/// also be the parameter's number. Throws `invalid_argument` naming what is
/// missing, superfluous or of another type or shape.
module_values read_arguments(const hlo::module &m, const std::string &path);

/// Writes the arrays that partitions return as tensors "0", "1", ..., or
/// "0*0", "0*1" where there are several partitions.
void write_results(const module_values &results, const std::string &path);

} // namespace ganglion::apps

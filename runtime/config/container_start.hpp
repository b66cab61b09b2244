// What a start does as the LMI container does it, beyond reading options: smart
// defaults, the number of threads, and no code that a model brings.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// The smart defaults for the model that `values` name, on a machine of
/// `host_cores` cores where the instance is the host: settings of options that
/// nobody set.
std::vector<option_setting> smart_settings(const option_values &values,
                                           std::int64_t host_cores);

/// Limits threads to two for each rank where somebody gave the degree, as the
/// container sets OMP_NUM_THREADS. Throws `unsupported` where the model's
/// directory has a model.py or a requirements.txt.
void start_as_container(const option_values &values, engine_config &config);

} // namespace ganglion::runtime

// What a start does as the LMI container does it, beyond reading options: smart
// defaults, the number of threads, and no code that a model brings.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// The smart defaults for the model in `directory`, on a machine of
/// `host_cores` cores where the instance is the host: settings of options that
/// nobody set.
std::vector<option_setting> smart_settings(const std::string &directory,
                                           const option_values &values,
                                           std::int64_t host_cores);

/// The defaults of a start on SageMaker, which put the model into `directory`:
/// nothing where there is no such directory or where `values` name a model.
std::vector<option_setting> hosting_settings(const std::string &directory,
                                             const option_values &values);

/// Limits threads to two for each rank where somebody gave the degree, as the
/// container sets OMP_NUM_THREADS. Throws `unsupported` where the model's
/// directory has a model.py or a requirements.txt.
void start_as_container(const option_values &values, engine_config &config);

} // namespace ganglion::runtime

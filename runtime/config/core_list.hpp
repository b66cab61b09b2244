// Lists of NeuronCores, as NEURON_RT_VISIBLE_CORES writes them.
#pragma once

#include "runtime/config/option_values.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// The cores that an option's text names of a machine with `cores` of them,
/// ascending: "0-3,6", with ';' as good as ',', or "all" or "*". Throws
/// `invalid_argument` for another form, a core twice or one that is not there.
std::vector<std::int64_t> core_list(const resolved_option &option,
                                    std::int64_t cores);

} // namespace ganglion::runtime

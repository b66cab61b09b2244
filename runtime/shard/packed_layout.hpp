// What packed weights consist of, apart from the checkpoint's bytes: the key
// under which they are kept.
#pragma once

#include "runtime/models/model_source.hpp"
#include "runtime/shard/compiled_steps.hpp"

namespace ganglion::runtime {

/// Whether all ranks share this weight as one whole table.
bool is_table(const hlo::weight_parameter &w);

/// Of all of a rank's weights but tables: every element's origin, and every
/// parameter's shape and packing. Any option that changes the packing changes
/// it.
digest packed_layout(const model_source &model, const compiled_steps &steps,
                     const hlo::placement &placed, std::int64_t rank);

/// The same of one table.
digest table_layout(const model_source &model, const hlo::placement &placed,
                    const hlo::weight_parameter &table,
                    const neuron::program_parameter &parameter);

} // namespace ganglion::runtime

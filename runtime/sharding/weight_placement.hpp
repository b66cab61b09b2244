// Tensor-parallel placement: which rows and columns of a checkpoint tensor a
// rank's weight parameter takes.
#pragma once

#include "hlo/decoder/step_graph.hpp"
#include "neuron/packing.hpp"
#include "runtime/models/model_source.hpp"

namespace ganglion::runtime {

/// The source of weight `w` on `rank`; padding (MLP columns, vocabulary) reads
/// as zeros, KV heads are replicated as the placement says, and distributed
/// experts are the rank's own. Borrows
/// from `model` and `w`. Throws
/// `unsupported` for a tensor that is not floating.
neuron::weight_source place_weight(const model_source &model,
                                   const hlo::weight_parameter &w,
                                   const hlo::placement &placed,
                                   std::int64_t rank);

/// The sources of a weight that may be fused: one for each of its pieces.
std::vector<neuron::weight_source> place_pieces(const model_source &model,
                                                const hlo::weight_parameter &w,
                                                const hlo::placement &placed,
                                                std::int64_t rank);

/// The tensor of the checkpoint that `place_weight` takes it from.
tensor_view stored_tensor(const model_source &model,
                          const hlo::weight_parameter &w,
                          const hlo::placement &placed, std::int64_t rank);

/// The same outputs with all their inputs, those of other ranks too: what the
/// scales of a quantised weight are taken from. Not of presharded checkpoints,
/// which have no whole rows.
neuron::weight_source place_whole_rows(const model_source &model,
                                       const hlo::weight_parameter &w,
                                       const hlo::placement &placed,
                                       std::int64_t rank);

} // namespace ganglion::runtime

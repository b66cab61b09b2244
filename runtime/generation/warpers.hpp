// HuggingFace's logits warpers: what narrows down a distribution before a
// token is drawn from it, in the order of docs/sampling.md.
#pragma once

#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/generation/weighted_row.hpp"

namespace ganglion::runtime {

/// Scores / temperature of `scores`, of which one must not be -infinite, with
/// all filters applied, in scratch memory. Allocates nothing.
weighted_row warped(const neuron::kernel_set &kernels,
                    const weighing_scratch &scratch, const score_row &scores,
                    std::span<float> maxima, const sampling_parameters &p);

} // namespace ganglion::runtime

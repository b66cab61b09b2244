// The groups of operations behind `evaluate_operation`, one source file each.
// Contracts are those of operation.hpp.
#pragma once

#include "hlo/evaluator/operation.hpp"

namespace ganglion::hlo {

using views = std::span<const literal_view>;

void evaluate_elementwise(const instruction &i, views in, literal_view out);
void evaluate_convert(views in, literal_view out);
void evaluate_movement(const instruction &i, views in, literal_view out);
void evaluate_dynamic_slice(views in, literal_view out);
void evaluate_dynamic_update_slice(views in, literal_view out);
void evaluate_gather(const instruction &i, views in, literal_view out);
void evaluate_scatter(const instruction &i, views in, literal_view out);
void evaluate_dot(const instruction &i, views in, literal_view out);
/// Output, mean and variance.
void evaluate_batch_norm_training(const instruction &i, views in, views outs);
/// The same numbers in every run, a sequence for each value of the frontend
/// attribute "rng.stream" (0 without).
void evaluate_rng(const instruction &i, views in, literal_view out);
void evaluate_reduce_window(const instruction &i, views in, literal_view out);

} // namespace ganglion::hlo

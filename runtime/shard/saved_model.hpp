// Saving what a model was compiled to, and opening it again: what stands
// behind `save` and `load` of a model, `compiled_graph_path` and the cache.
#pragma once

#include "runtime/artifacts/artifact_set.hpp"
#include "runtime/config/engine_config.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"

#include <string>

namespace ganglion::runtime {

struct loaded_model;

enum class saved_parts {
  programs,            ///< fit every checkpoint of the shape
  programs_and_weights ///< also the packed weights of all ranks
};

/// Writes the programs of `model`, and with them its packed weights, into
/// `directory`, which is made. Loading it again compiles nothing: set
/// `engine_config::model.compiled_graph_path` to it. Packs the weights again,
/// one rank after the other. Any thread. Throws `unavailable` when the disk
/// refuses.
void save_artifacts(const loaded_model &model, const std::string &directory,
                    saved_parts parts = saved_parts::programs_and_weights);

/// Whether `save_artifacts` wrote there; reads no artefact.
bool has_artifacts(const std::string &directory);

/// What `config` lets a start with this model and plan reuse:
/// `compiled_graph_path`, or without it the directory `compiled` of the model
/// if there is one, and the cache. Digests the checkpoint if it has changed
/// since, unless only `programs` are wanted. Throws `invalid_argument` naming
/// the field and both values when the named directory was saved from another
/// shape, with other options or by another compiler, and `not_found` or
/// `corrupt_data` when it cannot be read.
artifact_set
open_artifacts(const engine_config &config, const model_source &model,
               const model_plan &plan,
               saved_parts parts = saved_parts::programs_and_weights);

} // namespace ganglion::runtime

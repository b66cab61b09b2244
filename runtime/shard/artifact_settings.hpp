// What compiled artefacts depend on, by the names under which people know it,
// so that a refusal can say what differs.
#pragma once

#include "neuron/cpu/isa.hpp"
#include "runtime/artifacts/manifest.hpp"
#include "runtime/shard/model_plan.hpp"

namespace ganglion::runtime {

/// Compiler and instruction set, shape of the model, graph options. What has
/// no name here still counts: it changes the graph, whose digest is the key.
std::vector<manifest_field> artifact_settings(const hlo::decoder_spec &spec,
                                              const model_plan &plan,
                                              neuron::isa set);

/// Throws `invalid_argument` naming the first field in which the artefacts of
/// `directory`, made with `made`, differ from what this start wants, and both
/// values.
void check_settings(const manifest &made,
                    const std::vector<manifest_field> &wanted,
                    const std::string &directory);

} // namespace ganglion::runtime

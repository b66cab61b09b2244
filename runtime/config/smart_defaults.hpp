// The sizes that the LMI container chooses for a model where nobody does: its
// published rules, for families that it knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ganglion::runtime {

/// What the rules look at, as in config.json.
struct model_shape {
  std::int64_t hidden = 0, intermediate = 0, layers = 0, heads = 0,
               kv_heads = 0, vocabulary = 0, max_positions = 0;
};

/// The shape in `directory`'s config.json, or nothing: no such file, a family
/// other than llama and mistral, or a field that is missing.
std::optional<model_shape> shape_for_defaults(const std::string &directory);

/// What somebody asked for.
struct given_sizes {
  std::optional<std::int64_t> n_positions = {}, tp_degree = {}, batch = {};
  bool quantised = false;
};

/// Everything that was given, and the rules' choice for the rest. No batch: not
/// even one sequence seems to fit, and the rules do not say.
struct chosen_sizes {
  std::int64_t n_positions = 0, tp_degree = 0;
  std::optional<std::int64_t> batch;
};

/// For a machine of `cores` cores, which the rules take to have 16 GB each.
/// `cores` is at least 1.
chosen_sizes smart_defaults(const model_shape &shape, std::int64_t cores,
                            const given_sizes &given);

/// The rules' count of parameters, which is not the model's: their term for
/// queries, keys and values has the dimension of a square.
double estimated_parameters(const model_shape &shape);

} // namespace ganglion::runtime

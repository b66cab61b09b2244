// The sizes an engine runs a model with, decided from its configuration and
// the memory of a core before any weight is read.
#pragma once

#include "hlo/decoder/step_graph.hpp"
#include "neuron/compiler/compiler.hpp"
#include "neuron/core.hpp"
#include "neuron/instance.hpp"
#include "runtime/config/engine_config.hpp"

#include <vector>

namespace ganglion::runtime {

struct model_plan {
  hlo::element_type type = hlo::element_type::f32;
  hlo::weight_quantisation quantize;
  hlo::cache_quantisation cache = hlo::cache_quantisation::none;
  hlo::sharding_options sharding;
  std::int64_t slots = 32;               ///< sequences running at once
  std::int64_t chunk = 64;               ///< token rows of a step at most
  std::vector<std::int64_t> row_counts;  ///< asked for, ascending; or none
  std::vector<std::int64_t> batch_sizes; ///< row counts besides
  bool output_all_logits = false;
  hlo::graph_form form;
  neuron::optimize_level optimize_level = neuron::optimize_level::simplified;
  std::int64_t n_positions = 0;
  std::int64_t block_positions = 32; ///< of a rank's block
  std::int64_t plan_block = 32;      ///< of a block on all its ranks
  std::int64_t kv_partitions = 1;    ///< pools that sequences are dealt to
  std::int64_t blocks = 0;           ///< of a pool
  std::int64_t max_blocks = 0;       ///< of one sequence
  std::int64_t max_logprobs = 20;    ///< alternatives of a token at most
  std::size_t core_budget = 0;
  std::size_t weight_bytes = 0, cache_bytes = 0; ///< per core

  std::int64_t tp_degree() const { return sharding.tp_degree; }
  /// Blocks that a full batch of the longest sequences takes of a pool.
  std::int64_t full_blocks() const;
  /// Rows of a step whose logits requests may ask for beyond the one that each
  /// sequence samples from: bounds the memory of returned logits.
  std::int64_t prompt_logit_rows() const;
  /// Graph options of the bucket with `rows` token rows.
  hlo::graph_options graph(std::int64_t rows) const;
  /// The graphs of a bucket: the whole step, or what is run for `unroll` layers
  /// at a time between its beginning and end.
  std::vector<hlo::step_part> parts() const {
    using enum hlo::step_part;
    return form.unroll > 0 ? std::vector{inputs, layers, outputs}
                           : std::vector{whole};
  }
  std::size_t programs() const { return buckets().size() * parts().size(); }
  /// How its programs are made for an instruction set.
  neuron::compile_options compile(neuron::isa set) const {
    return {.set = set, .level = optimize_level};
  }
  /// Row counts that step graphs are compiled for, ascending; the last is
  /// `chunk`.
  std::vector<std::int64_t> buckets() const;
  /// What a core must hold.
  std::vector<neuron::reservation> reservations() const;
};

/// Cores of the instance; on the host, CPUs that the process may use.
std::int64_t cores_of(const neuron::instance_profile &profile);

/// Throws `invalid_argument` naming a field that does not fit the model or
/// the instance, and `unsupported` for int8 of a presharded checkpoint.
model_plan plan_model(const hlo::decoder_spec &spec,
                      const engine_config &config);

} // namespace ganglion::runtime

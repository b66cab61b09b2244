#include "runtime/shard/draft_model.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const std::string &message, const char *field) {
  throw error(error_code::invalid_argument, message, "draft model", field);
}

/// The large model's degree where the draft's heads divide by it, else 1.
std::int64_t degree_of(std::int64_t asked, const hlo::decoder_spec &draft,
                       std::int64_t large) {
  if (asked != 0 && asked != 1 && asked != large)
    refuse(std::to_string(asked) + "; accepted: 1 (whole on every core) or " +
               std::to_string(large) + ", the large model's",
           "draft_model_tp_size");
  if (asked != 0)
    return asked;
  if (draft.heads % large == 0 && draft.kv_heads % large == 0)
    return large;
  log::info("the draft model's {} heads are not divided by {}: it is whole on "
            "every core",
            draft.heads, large);
  return 1;
}

} // namespace

engine_config draft_config(const engine_config &config,
                           const shared_model &large) {
  engine_config out = config;
  out.speculation = {};
  out.model = {};
  out.model.model_id = config.speculation.draft_model;
  out.model.dtype = config.model.dtype;
  out.model.low_cpu_mem_usage = config.model.low_cpu_mem_usage;
  out.model.compiled_graph_path = config.speculation.compiled_path;
  out.model.artifact_cache = config.model.artifact_cache;
  out.model.artifact_cache_least = config.model.artifact_cache_least;
  out.model.artifact_cache_limit = config.model.artifact_cache_limit;
  const hlo::decoder_spec spec = described_model(out.model);
  const hlo::decoder_spec &target = large.source->spec();
  if (spec.vocabulary != target.vocabulary)
    refuse(out.model.model_id + " has a vocabulary of " +
               std::to_string(spec.vocabulary) + "; accepted: " +
               std::to_string(target.vocabulary) + ", the large model's",
           "speculative_draft_model");
  if (spec.position_limit != 0 && spec.position_limit < large.plan.n_positions)
    refuse(out.model.model_id + " has " + std::to_string(spec.position_limit) +
               " positions; accepted: at least n_positions, which is " +
               std::to_string(large.plan.n_positions),
           "speculative_draft_model");
  const graph_config graph = config.graph;
  out.graph = {};
  out.graph.tensor_parallel_degree =
      degree_of(config.speculation.tp_degree, spec, large.plan.tp_degree());
  out.graph.instance = graph.instance;
  out.graph.threads = graph.threads;
  out.graph.pad_heads = false;
  out.graph.n_positions = large.plan.n_positions;
  out.graph.chunk = large.plan.chunk;
  out.graph.context_length_estimate = graph.context_length_estimate;
  out.graph.batch_sizes = graph.batch_sizes;
  out.graph.output_all_logits = graph.output_all_logits;
  out.graph.neuron_optimize_level = graph.neuron_optimize_level;
  out.graph.block_size = large.plan.plan_block;
  out.graph.kv_blocks = large.plan.blocks;
  return out;
}

void check_same_blocks(const model_plan &large, const model_plan &draft) {
  if (large.blocks == draft.blocks && large.max_blocks == draft.max_blocks &&
      large.plan_block == draft.plan_block &&
      large.kv_partitions == draft.kv_partitions && large.chunk == draft.chunk)
    return;
  throw error(error_code::unsupported,
              "KV caches that are split by sequences over the ranks beside a "
              "draft model; accepted: shard-over-heads",
              "draft model", "group_query_attention");
}

} // namespace ganglion::runtime

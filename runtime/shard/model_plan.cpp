#include "runtime/shard/model_plan.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "neuron/instance.hpp"
#include "neuron/packing.hpp"

#include <algorithm>
#include <set>

namespace ganglion::runtime {

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

hlo::element_type type_of(const hlo::decoder_spec &spec, weight_dtype dtype) {
  switch (dtype) {
  case weight_dtype::f32:
    return hlo::element_type::f32;
  case weight_dtype::f16:
    return hlo::element_type::f16;
  case weight_dtype::bf16:
    return hlo::element_type::bf16;
  case weight_dtype::as_stored:
    break;
  }
  return spec.stored_type;
}

std::int64_t positions_of(const hlo::decoder_spec &spec, std::int64_t wanted) {
  if (spec.position_limit > 0 && wanted > spec.position_limit)
    throw error(error_code::invalid_argument,
                std::to_string(wanted) + " exceeds the model's " +
                    std::to_string(spec.position_limit) +
                    " positions; rope_scaling and rope_theta stretch them",
                spec.family, "n_positions");
  return wanted > 0 ? wanted : spec.n_positions;
}

/// Bytes of one rank's weights in the packed form.
std::size_t weight_bytes_of(const hlo::decoder_spec &spec,
                            const model_plan &plan) {
  double bytes = 0;
  for (const auto &w : hlo::decoder_weights(spec, plan.quantize)) {
    double n = w.element_bytes(plan.type);
    for (const auto d : w.whole)
      n *= static_cast<double>(d);
    // Tables are one mapping shared by all ranks.
    const bool shared = w.name.starts_with("embedding.");
    if (shared || w.placed != hlo::split::none)
      n /= static_cast<double>(plan.tp_degree());
    bytes += n;
  }
  return static_cast<std::size_t>(bytes);
}

std::size_t block_bytes(const hlo::decoder_spec &spec, const model_plan &plan) {
  hlo::graph_options g = plan.graph(1);
  g.blocks = 1;
  std::size_t bytes = 0;
  for (const auto &cache : layer_caches(spec, g))
    bytes += cache.form.bytes();
  return static_cast<std::size_t>(spec.layers) * bytes;
}

/// As many blocks as asked for, or enough for a full batch as far as memory
/// goes.
void size_pool(const hlo::decoder_spec &spec, std::int64_t wanted,
               model_plan &plan) {
  const std::size_t each = block_bytes(spec, plan);
  const std::size_t left = plan.core_budget > plan.weight_bytes
                               ? plan.core_budget - plan.weight_bytes
                               : 0;
  // An eighth of the rest is kept for activations.
  const auto fitting = static_cast<std::int64_t>(left / 8 * 7 / each);
  plan.blocks = wanted > 0 ? wanted : std::min(plan.full_blocks(), fitting);
  // One sequence must always be able to run to the end alone.
  if (wanted > 0 && plan.blocks < plan.max_blocks)
    throw error(error_code::invalid_argument,
                std::to_string(wanted) + " blocks of " +
                    std::to_string(plan.block_positions) +
                    " cannot hold one sequence of n_positions " +
                    std::to_string(plan.n_positions) + "; accepted: at least " +
                    std::to_string(plan.max_blocks),
                spec.family, "kv_blocks");
  plan.blocks = std::max(plan.blocks, plan.max_blocks);
  plan.cache_bytes = static_cast<std::size_t>(plan.blocks) * each;
}

std::int64_t chunk_of(const graph_config &config) {
  constexpr std::int64_t usual = 64;
  if (config.chunk > 0)
    return config.chunk;
  const auto &rows = config.context_length_estimate;
  return rows.empty() ? usual : rows.back();
}

/// 0 means every core that the model may take.
std::int64_t degree_of(const neuron::instance_profile &profile,
                       const graph_config &config) {
  const auto wanted = config.tensor_parallel_degree;
  const auto &visible = config.visible_cores;
  const auto cores = cores_of(profile);
  if (visible.empty())
    return wanted > 0 ? wanted : cores;
  const auto count = static_cast<std::int64_t>(visible.size());
  if (visible.back() >= cores)
    throw error(error_code::invalid_argument,
                "names core " + std::to_string(visible.back()) + " of " +
                    std::to_string(cores) + "; accepted: 0 to " +
                    std::to_string(cores - 1),
                profile.name, "visible_cores");
  if (wanted > count)
    throw error(error_code::invalid_argument,
                std::to_string(wanted) + " exceeds the " +
                    std::to_string(count) + " visible cores",
                profile.name, "tensor_parallel_degree");
  return wanted > 0 ? wanted : count;
}

hlo::sharding_options sharding_of(const hlo::decoder_spec &spec,
                                  const graph_config &config,
                                  const neuron::instance_profile &profile,
                                  std::int64_t slots) {
  hlo::sharding_options wanted;
  wanted.tp_degree = degree_of(profile, config);
  neuron::check_tp_degree(profile, wanted.tp_degree);
  wanted.strategy = config.group_query_attention;
  wanted.shard_over_sequence = config.shard_over_sequence;
  wanted.experts = config.experts;
  // The degrees of NeuronCores are few: any model must fit some of them.
  wanted.pad_heads = config.pad_heads.value_or(!profile.tp_degrees.empty());
  std::vector<std::string> notes;
  const auto out = hlo::resolve_sharding(spec, wanted, slots, notes);
  for (const auto &note : notes)
    log::warn("{}: {}", spec.family, note);
  return out;
}

/// All layers are as good as no number.
std::int64_t unroll_of(const hlo::decoder_spec &spec, std::int64_t wanted) {
  if (wanted > 0 && spec.layers % wanted != 0)
    throw error(error_code::invalid_argument,
                std::to_string(wanted) + " does not divide the model's " +
                    std::to_string(spec.layers) +
                    " layers; accepted: none, or a number that does",
                spec.family, "unroll");
  return wanted == spec.layers ? 0 : wanted;
}

/// Scales are of whole rows, of which a presharded checkpoint's ranks have
/// parts; those of groups are of matrices, not of tiles.
void check_quantisation(const hlo::decoder_spec &spec,
                        const engine_config &config) {
  const auto &how = config.graph.quantize;
  const auto &form = config.graph.form;
  if (how.layers == hlo::quantisation::int4 &&
      (form.qkv_tiling || form.weight_tiling))
    throw error(error_code::unsupported,
                "int4 weights in tiles; accepted: int4 without qkv_tiling and "
                "weight_tiling, or another quantize",
                config.model.model_id, "quantize");
  if (spec.presharded && how.on())
    throw error(error_code::unsupported,
                std::string(to_string(how.layers)) +
                    " of a presharded checkpoint; accepted: none, or the "
                    "whole checkpoint",
                config.model.model_id, "quantize");
}

} // namespace

std::int64_t cores_of(const neuron::instance_profile &profile) {
  return profile.cores > 0
             ? profile.cores
             : static_cast<std::int64_t>(neuron::allowed_cpus().size());
}

std::int64_t model_plan::prompt_logit_rows() const {
  constexpr std::int64_t usual = 64;
  return output_all_logits ? chunk : usual;
}

hlo::graph_options model_plan::graph(std::int64_t rows) const {
  hlo::graph_options g;
  g.type = type;
  g.quantize = quantize;
  g.cache = cache;
  g.sharding = sharding;
  g.form = form;
  g.rows = rows;
  g.logit_rows = std::min(rows, slots + prompt_logit_rows());
  g.slots = slots;
  g.block_positions = block_positions;
  g.blocks = blocks;
  g.max_blocks = max_blocks;
  return g;
}

std::int64_t model_plan::full_blocks() const {
  return slots / kv_partitions * max_blocks;
}

std::vector<std::int64_t> model_plan::buckets() const {
  std::set<std::int64_t> out(row_counts.begin(), row_counts.end());
  for (std::int64_t rows = 8; row_counts.empty() && rows < chunk; rows *= 8)
    out.insert(rows);
  out.insert(batch_sizes.begin(), batch_sizes.end());
  out.erase(out.lower_bound(chunk), out.end());
  out.insert(chunk);
  return {out.begin(), out.end()};
}

std::vector<neuron::reservation> model_plan::reservations() const {
  return {{"weights", weight_bytes}, {"KV cache", cache_bytes}};
}

model_plan plan_model(const hlo::decoder_spec &spec,
                      const engine_config &config) {
  check_quantisation(spec, config);
  model_plan plan;
  const auto &profile = neuron::profile_of(config.graph.instance);
  plan.slots = config.scheduling.max_rolling_batch_size;
  plan.max_logprobs = config.scheduling.max_logprobs;
  plan.sharding = sharding_of(spec, config.graph, profile, plan.slots);
  plan.core_budget = neuron::core_budget(profile, plan.tp_degree());
  plan.type = type_of(spec, config.model.dtype);
  plan.quantize = config.graph.quantize;
  plan.cache = config.graph.kv_cache_quant;
  // A step must have room for one row of every running sequence.
  plan.row_counts = config.graph.context_length_estimate;
  plan.batch_sizes = config.graph.batch_sizes;
  plan.output_all_logits = config.graph.output_all_logits;
  plan.chunk = std::max(chunk_of(config.graph), plan.slots);
  plan.form = config.graph.form;
  plan.form.unroll = unroll_of(spec, config.graph.form.unroll);
  plan.optimize_level =
      static_cast<neuron::optimize_level>(config.graph.neuron_optimize_level);
  plan.n_positions = positions_of(spec, config.graph.n_positions);
  plan.block_positions = config.graph.block_size;
  const hlo::placement placed(spec, plan.sharding);
  plan.kv_partitions = placed.kv_partitions();
  plan.plan_block = plan.block_positions * placed.stripes();
  plan.max_blocks = divide_up(plan.n_positions, plan.plan_block);
  plan.weight_bytes = weight_bytes_of(spec, plan);
  size_pool(spec, config.graph.kv_blocks, plan);
  return plan;
}

} // namespace ganglion::runtime

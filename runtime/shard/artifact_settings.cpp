#include "runtime/shard/artifact_settings.hpp"

#include "hlo/support/error.hpp"
#include "neuron/compiler/compiler.hpp"
#include "runtime/checkpoint/sharding_settings.hpp"

namespace ganglion::runtime {

namespace {

using field_list = std::vector<manifest_field>;

void add(field_list &out, const char *name, std::int64_t value) {
  out.push_back({name, std::to_string(value)});
}

void add_model(field_list &out, const hlo::decoder_spec &spec) {
  out.push_back({"family", spec.family});
  add(out, "layers", spec.layers);
  add(out, "hidden", spec.hidden);
  add(out, "heads", spec.heads);
  add(out, "kv_heads", spec.kv_heads);
  add(out, "head_dim", spec.head_dim);
  add(out, "mlp", spec.mlp);
  add(out, "vocabulary", spec.vocabulary);
}

const char *truth(bool value) { return value ? "true" : "false"; }

std::string layout_name(hlo::hidden_layout layout) {
  return layout == hlo::hidden_layout::hsb ? "HSB" : "BSH";
}

void add_form(field_list &out, const hlo::graph_form &form) {
  // A new option breaks this line: give it a name below.
  const auto &[attention, collectives, reduced, logits, saturate, mixed,
               threshold, fuse_qkv, embedding, cache, qkv_tiling, weight_tiling,
               unroll] = form;
  out.push_back({"attention_layout", layout_name(attention)});
  out.push_back({"collectives_layout", layout_name(collectives)});
  out.push_back({"all_reduce_dtype", std::string(to_string(reduced))});
  out.push_back({"cast_logits_dtype", std::string(to_string(logits))});
  out.push_back({"enable_saturate_infinity", truth(saturate)});
  out.push_back({"enable_mixed_precision_accumulation", truth(mixed)});
  add(out, "sequence_parallel_norm_threshold", threshold);
  out.push_back({"fuse_qkv", truth(fuse_qkv)});
  out.push_back({"on_device_embedding", truth(embedding)});
  out.push_back({"cache_layout", cache == hlo::kv_layout::sbh ? "SBH" : "BSH"});
  out.push_back({"qkv_tiling", truth(qkv_tiling)});
  out.push_back({"weight_tiling", truth(weight_tiling)});
  add(out, "unroll", unroll);
}

std::string list_text(const std::vector<std::int64_t> &numbers) {
  std::string out;
  for (const auto n : numbers)
    out += (out.empty() ? "" : ",") + std::to_string(n);
  return out;
}

void add_options(field_list &out, const hlo::graph_options &options) {
  // A new option breaks this line: give it a name below.
  const auto &[type, quantize, cache, sharding, rows, logit_rows, slots,
               block_positions, blocks, max_blocks, form] = options;
  for (const auto &[name, value] : sharding_settings(sharding))
    out.push_back({name, value});
  out.push_back({"dtype", std::string(to_string(type))});
  out.push_back({"quantize", std::string(to_string(quantize.layers))});
  add(out, "quantize_head", quantize.head);
  add(out, "quantize_group_size", quantize.group);
  out.push_back(
      {"kv_cache_quant", cache == hlo::cache_quantisation::s8 ? "s8" : "none"});
  add(out, "chunk", rows);
  add(out, "max_rolling_batch_size", slots);
  add(out, "logit_rows", logit_rows);
  add(out, "block_size", block_positions);
  add(out, "kv_blocks", blocks);
  add(out, "max_blocks", max_blocks);
  add_form(out, form);
}

} // namespace

std::vector<manifest_field> artifact_settings(const hlo::decoder_spec &spec,
                                              const model_plan &plan,
                                              neuron::isa set) {
  field_list out;
  out.push_back({"compiler_version", std::string(neuron::compiler_version())});
  out.push_back({"compile_options", neuron::to_string(plan.compile(set))});
  add_model(out, spec);
  add(out, "n_positions", plan.n_positions);
  out.push_back({"output_all_logits", truth(plan.output_all_logits)});
  add_options(out, plan.graph(plan.chunk));
  out.push_back({"context_length_estimate", list_text(plan.buckets())});
  return out;
}

void check_settings(const manifest &made,
                    const std::vector<manifest_field> &wanted,
                    const std::string &directory) {
  for (const auto &[name, value] : wanted) {
    const auto *found = made.find(name);
    if (!found || *found != value)
      throw error(error_code::invalid_argument,
                  "is " + (found ? *found : "not given") +
                      " in the compiled artefacts, " + value + " in this start",
                  directory, name);
  }
}

} // namespace ganglion::runtime

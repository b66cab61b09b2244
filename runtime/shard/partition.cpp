#include "runtime/shard/partition.hpp"

#include "hlo/support/error.hpp"
#include "neuron/compiler/compiler.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/config/neuron_block.hpp"
#include "runtime/config/value_text.hpp"
#include "runtime/json/edit.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/saved_model.hpp"
#include "runtime/sharding/presharded.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ganglion::runtime {

namespace {

void refuse_same(const std::string &source, const std::string &directory) {
  std::error_code ignored; // a directory that is not there is another one
  if (std::filesystem::equivalent(source, directory, ignored))
    throw error(error_code::invalid_argument,
                "is the model's own directory; name another one", directory,
                "save_mp_checkpoint_path");
}

/// Nothing that earlier starts left behind takes part.
engine_config from_scratch(engine_config config) {
  config.model.artifact_cache.clear();
  config.model.compiled_graph_path = "none";
  return config;
}

void write_optimum(const loaded_model &model, const std::string &directory) {
  const auto &plan = model.plan;
  const auto source = model.source->directory();
  copy_model_files(source, directory);
  copy_model_files(source, directory + "/checkpoint");
  write_split(model.source->weights(), directory + "/checkpoint");
  const auto config = json::document::load(source + "/config.json");
  write_atomically(
      directory + "/config.json",
      json::with_members(
          config.root(),
          {{"neuron",
            neuron_block(plan.tp_degree(), plan.n_positions, plan.slots,
                         std::string(to_string(plan.type)),
                         std::string(neuron::compiler_version()))}}));
}

/// Options that say where things are, not what is compiled.
constexpr std::string_view own_options[] = {"model_id",
                                            "model_name",
                                            "load_split_model",
                                            "low_cpu_mem_usage",
                                            "compiled_graph_path",
                                            "artifact_cache",
                                            "artifact_cache_limit",
                                            "load_models",
                                            "revision",
                                            "hf_token",
                                            "hf_endpoint",
                                            "hf_home",
                                            "hf_hub_offline",
                                            "download_dir",
                                            "model_size_limit",
                                            "model_store",
                                            "model_loader",
                                            "model_loading_timeout",
                                            "save_mp_checkpoint_path",
                                            "partition_schema",
                                            "visible_cores"};

/// Whether a start from the partition must be told this option again.
bool travels(const option_spec &option) {
  using enum option_scope;
  return option.scope != server && option.scope != ignored &&
         option.scope != refused &&
         std::ranges::find(own_options, option.name) == std::end(own_options);
}

/// What somebody asked for, and what was decided from the model and memory.
std::string properties_of(const option_values &values, const model_plan &plan) {
  std::map<std::string, std::string> lines;
  for (const auto &option : engine_options())
    if (travels(option) && values.is_set(option.name))
      lines[std::string(option.name)] =
          value_text(values.at(option.name).value);
  lines["tensor_parallel_degree"] = std::to_string(plan.tp_degree());
  lines["dtype"] = to_string(plan.type);
  lines["n_positions"] = std::to_string(plan.n_positions);
  lines["max_rolling_batch_size"] = std::to_string(plan.slots);
  lines["chunk"] = std::to_string(plan.chunk);
  lines["block_size"] = std::to_string(plan.block_positions);
  lines["kv_blocks"] = std::to_string(plan.blocks);
  std::string out;
  for (const auto &[name, value] : lines)
    out += "option." + name + "=" + value + "\n";
  return out;
}

} // namespace

void write_partition(const loaded_config &loaded, partition_schema schema,
                     const std::string &directory) {
  auto config = from_scratch(loaded.config);
  refuse_same(config.model.model_id, directory);
  auto model = load_model(config);
  auto parts = saved_parts::programs_and_weights;
  switch (schema) {
  case partition_schema::safetensors:
    save_presharded(*model->source, model->plan.sharding, directory);
    break;
  case partition_schema::optimum:
    write_optimum(*model, directory);
    break;
  case partition_schema::compile_only:
    copy_model_files(config.model.model_id, directory);
    parts = saved_parts::programs;
    break;
  }
  if (schema != partition_schema::compile_only) {
    // Packed weights belong to the checkpoint that was written.
    config.model.model_id = directory;
    config.model.load_split_model = false;
    model = load_model(config);
  }
  save_artifacts(*model, directory + "/compiled", parts);
  write_atomically(directory + "/serving.properties",
                   properties_of(loaded.values, model->plan));
  write_atomically(directory + "/VERSION",
                   std::string(neuron::compiler_version()) + "\n");
}

} // namespace ganglion::runtime

#include "runtime/config/engine_config.hpp"

#include "hlo/support/error.hpp"
#include "runtime/config/core_list.hpp"
#include "runtime/config/server_address.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const option_values &values, std::string_view name,
                         const std::string &message) {
  const auto &option = values.at(name);
  throw error(error_code::invalid_argument, message, option.where, option.key);
}

/// More than any machine has; the plan knows how many there are.
constexpr std::int64_t most_cores = 4096;

std::string name_of_model(const std::string &model_id) {
  auto path = std::filesystem::path(model_id).lexically_normal();
  if (!path.has_filename())
    path = path.parent_path();
  return served_name(path.filename().string());
}

/// A directory, which no URL is; `from_s3`: or a prefix of a bucket.
const std::string &directory_of(const option_values &values,
                                std::string_view name, bool from_s3) {
  const auto &out = values.string(name);
  if (out.find("://") != std::string::npos &&
      !(from_s3 && out.starts_with("s3://")))
    refuse(values, name,
           "'" + out +
               "' is no directory; expected the path of "
               "one");
  return out;
}

model_config model_part(const option_values &values) {
  model_config out;
  out.model_id = values.string("model_id");
  out.model_name = values.string("model_name");
  if (out.model_id.empty())
    refuse(values, "model_id",
           "no model given: --model DIR, option.model_id in "
           "serving.properties, or HF_MODEL_ID");
  if (out.model_name.empty())
    out.model_name = name_of_model(out.model_id);
  const auto &dtype = values.string("dtype");
  out.dtype = dtype == "f32"    ? weight_dtype::f32
              : dtype == "f16"  ? weight_dtype::f16
              : dtype == "bf16" ? weight_dtype::bf16
                                : weight_dtype::as_stored;
  if (const double theta = values.real("rope_theta"); theta > 0)
    out.rope_theta = theta;
  out.rope_scaling = values.string("rope_scaling");
  out.chat_template = values.string("chat_template");
  out.load_split_model = values.boolean("load_split_model");
  out.low_cpu_mem_usage = values.boolean("low_cpu_mem_usage");
  out.compiled_graph_path = directory_of(values, "compiled_graph_path", true);
  if (const auto &cache = directory_of(values, "artifact_cache", false);
      cache != "auto" && cache != "none")
    out.artifact_cache = cache;
  out.artifact_cache_limit =
      static_cast<std::uint64_t>(values.integer("artifact_cache_limit")) << 30;
  if (const double seconds = values.real("model_loading_timeout"); seconds > 0)
    out.loading_timeout.emplace(seconds);
  if (values.string("model_loader") == "tnx" &&
      values.string("partition_schema") == "optimum")
    refuse(values, "model_loader",
           "tnx does not go with partition_schema optimum; accepted: optimum "
           "or auto");
  return out;
}

hlo::hidden_layout layout_of(const std::string &text) {
  return text == "HSB" ? hlo::hidden_layout::hsb : hlo::hidden_layout::bsh;
}

hlo::graph_form form_of(const option_values &values) {
  hlo::graph_form out;
  out.attention_layout = layout_of(values.string("attention_layout"));
  out.collectives_layout = layout_of(values.string("collectives_layout"));
  out.all_reduce_type =
      *hlo::element_type_from(values.string("all_reduce_dtype"));
  out.logits_type = *hlo::element_type_from(values.string("cast_logits_dtype"));
  out.saturate_infinity = values.boolean("enable_saturate_infinity");
  out.fuse_qkv = values.boolean("fuse_qkv");
  out.on_device_embedding = values.boolean("on_device_embedding");
  out.qkv_tiling = values.boolean("qkv_tiling");
  out.weight_tiling = values.boolean("weight_tiling");
  if (out.qkv_tiling && !out.fuse_qkv)
    refuse(values, "qkv_tiling",
           "tiles the weight that fuse_qkv makes, which is false; accepted: "
           "false, or both true");
  out.cache_layout = values.string("cache_layout") == "SBH"
                         ? hlo::kv_layout::sbh
                         : hlo::kv_layout::bsh;
  out.unroll = values.integer("unroll");
  if (values.boolean("sequence_parallel_norm"))
    out.sequence_parallel_threshold =
        values.integer("sequence_parallel_norm_threshold");
  out.mixed_precision_accumulation =
      values.boolean("enable_mixed_precision_accumulation");
  return out;
}

std::vector<std::int64_t> buckets_of(const option_values &values) {
  auto out = values.get<std::vector<std::int64_t>>("context_length_estimate");
  std::ranges::sort(out);
  for (const auto rows : out)
    if (rows < 1 || rows > max_chunk)
      refuse(values, "context_length_estimate",
             std::to_string(rows) + " is not acceptable; expected from 1 to " +
                 std::to_string(max_chunk));
  return out;
}

/// Those of a batch that is formed once: batch_size, or one.
std::vector<std::int64_t>
disabled_rolling_batch(const option_values &values,
                       std::vector<std::int64_t> sizes) {
  if (sizes.empty())
    sizes = {1};
  const auto most = values.integer("max_rolling_batch_size");
  if (values.is_set("max_rolling_batch_size") && most != sizes.back())
    refuse(values, "max_rolling_batch_size",
           "is " + std::to_string(most) +
               ", but rolling_batch is disabled; accepted: to leave it out, "
               "batch_size counts");
  return sizes;
}

/// Ascending; the largest is another way to ask for max_rolling_batch_size.
std::vector<std::int64_t> batch_sizes_of(const option_values &values) {
  auto out = values.get<std::vector<std::int64_t>>("batch_size");
  std::ranges::sort(out);
  if (values.string("rolling_batch") == "disable")
    return disabled_rolling_batch(values, std::move(out));
  if (!out.empty() && out.back() > 1 && values.is_set("rolling_batch"))
    refuse(values, "batch_size",
           "is " + std::to_string(out.back()) + ", but rolling_batch is " +
               values.string("rolling_batch") +
               "; accepted: max_rolling_batch_size in its place, or "
               "rolling_batch=disable");
  const auto most = values.integer("max_rolling_batch_size");
  if (!out.empty() && values.is_set("max_rolling_batch_size") &&
      out.back() != most)
    refuse(values, "batch_size",
           "is " + std::to_string(out.back()) +
               ", but max_rolling_batch_size is " + std::to_string(most) +
               "; give one of them, or the same");
  return out;
}

/// `load_in_8bit` is another way to ask for static_int8.
hlo::quantisation quantisation_of(const option_values &values) {
  const std::string &wanted = values.string("quantize");
  const bool asked = wanted == to_string(hlo::quantisation::static_int8);
  const bool in_8bit = values.boolean("load_in_8bit");
  const bool given = values.is_set("quantize");
  if (in_8bit && given && !asked)
    refuse(values, "load_in_8bit",
           "is true, but quantize is " + wanted +
               "; give one of them, or static_int8");
  for (const auto q :
       {hlo::quantisation::int8_dynamic, hlo::quantisation::int4})
    if (wanted == to_string(q))
      return q;
  return asked || in_8bit ? hlo::quantisation::static_int8
                          : hlo::quantisation::none;
}

hlo::weight_quantisation weights_of(const option_values &values) {
  hlo::weight_quantisation out(quantisation_of(values));
  out.head = values.boolean("quantize_head");
  out.group = std::stoll(values.string("quantize_group_size"));
  if (out.head && !out.on())
    refuse(values, "quantize_head",
           "is true, but quantize is none; give one of static_int8, "
           "int8_dynamic and int4");
  if (values.is_set("quantize_group_size") &&
      out.layers != hlo::quantisation::int4)
    refuse(values, "quantize_group_size",
           "is given, but quantize is " + std::string(to_string(out.layers)) +
               "; only int4 has groups");
  return out;
}

graph_config graph_part(const option_values &values) {
  graph_config out;
  out.quantize = weights_of(values);
  out.kv_cache_quant = values.string("kv_cache_quant") == "s8"
                           ? hlo::cache_quantisation::s8
                           : hlo::cache_quantisation::none;
  out.tensor_parallel_degree = values.integer("tensor_parallel_degree");
  out.instance = values.string("instance");
  out.collectives = values.string("collectives") == "message"
                        ? collectives_kind::message
                        : collectives_kind::lease;
  out.group_query_attention =
      *hlo::group_query_from(values.string("group_query_attention"));
  out.shard_over_sequence = values.boolean("shard_over_sequence");
  if (const auto &pad = values.string("pad_heads"); pad != "auto")
    out.pad_heads = pad == "true";
  out.experts = values.string("expert_sharding") == "distributed"
                    ? hlo::expert_sharding::distributed
                    : hlo::expert_sharding::split;
  out.threads = values.integer("threads");
  if (const auto &cores = values.string("visible_cores");
      cores != "all" && cores != "*")
    out.visible_cores = core_list(values.at("visible_cores"), most_cores);
  out.n_positions = values.integer("n_positions");
  out.chunk = values.integer("chunk");
  out.context_length_estimate = buckets_of(values);
  if (const auto sizes = batch_sizes_of(values); sizes.size() > 1)
    out.batch_sizes = sizes;
  out.output_all_logits = values.boolean("output_all_logits");
  out.neuron_optimize_level = values.integer("neuron_optimize_level");
  out.form = form_of(values);
  out.block_size = values.integer("block_size");
  out.kv_blocks = values.integer("kv_blocks");
  if (out.block_size % 16 != 0)
    refuse(values, "block_size",
           "must be a multiple of 16, is " + std::to_string(out.block_size));
  return out;
}

scheduling_config scheduling_part(const option_values &values) {
  scheduling_config out;
  const auto sizes = batch_sizes_of(values);
  out.max_rolling_batch_size =
      sizes.empty() ? values.integer("max_rolling_batch_size") : sizes.back();
  out.job_queue_size = values.integer("job_queue_size");
  out.enable_prefix_caching = values.boolean("enable_prefix_caching");
  out.max_new_tokens = values.integer("max_new_tokens");
  out.max_new_tokens_limit = values.integer("max_new_tokens_limit");
  out.max_prompt_length = values.integer("max_prompt_length");
  out.max_logprobs = values.integer("max_logprobs");
  if (const double seconds = values.real("request_timeout"); seconds > 0)
    out.request_timeout.emplace(seconds);
  if (values.is_set("predict_timeout"))
    out.step_timeout.emplace(values.real("predict_timeout"));
  if (values.is_set("retry_threshold"))
    out.retry_threshold = values.integer("retry_threshold");
  if (const double budget = values.real("step_time_budget"); budget > 0)
    out.step_time_budget.emplace(budget);
  if (const auto seed = values.integer("seed"); seed >= 0)
    out.seed = static_cast<std::uint64_t>(seed);
  if (out.max_new_tokens_limit != 0 &&
      out.max_new_tokens > out.max_new_tokens_limit)
    refuse(values, "max_new_tokens",
           std::to_string(out.max_new_tokens) +
               " exceeds max_new_tokens_limit, which is " +
               std::to_string(out.max_new_tokens_limit));
  return out;
}

speculation_config speculation_part(const option_values &values) {
  speculation_config out;
  if (const auto &draft = values.string("speculative_draft_model");
      draft != "none")
    out.draft_model = draft == "[ngram]" ? speculation_config::ngram : draft;
  out.length = values.integer("speculative_length");
  out.ngram_size = values.integer("speculative_ngram_size");
  out.tp_degree = values.integer("draft_model_tp_size");
  out.compiled_path = directory_of(values, "draft_model_compiled_path", true);
  return out;
}

server_config server_part(const option_values &values) {
  server_config out;
  const auto [host, port] = address_of(values);
  out.host = host;
  out.port = port;
  out.max_request_size =
      static_cast<std::uint64_t>(values.integer("max_request_size"));
  out.strict = values.boolean("strict");
  out.wait_model_loading = values.boolean("wait_model_loading");
  out.allow_multi_status = values.boolean("allow_multi_status");
  out.log_level = values.string("log_level");
  out.access = access_part(values);
  return out;
}

} // namespace

std::string served_name(std::string_view name) {
  std::string out(name);
  std::ranges::replace_if(
      out, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  return out.empty() ? "model" : out;
}

engine_config make_engine_config(const option_values &values) {
  return {model_part(values), graph_part(values), scheduling_part(values),
          server_part(values), speculation_part(values)};
}

} // namespace ganglion::runtime

// The table itself, in the order in which help shows it.
#include "runtime/config/engine_config.hpp"
#include "runtime/config/option_table.hpp"

namespace ganglion::runtime {

namespace {

using enum option_kind;
constexpr double million = 1e6;

std::vector<std::pair<std::string_view, std::string_view>> dtype_synonyms() {
  return {{"fp32", "f32"},
          {"fp16", "f16"},
          {"float32", "f32"},
          {"float16", "f16"},
          {"bfloat16", "bf16"}};
}

option_table model_options() {
  constexpr auto scope = option_scope::model;
  return {
      {.name = "model_id",
       .scope = scope,
       .help = "directory of the model in HuggingFace format",
       .aliases = {"model"},
       .variable = "HF_MODEL_ID"},
      {.name = "model_name",
       .scope = scope,
       .help = "name under which the model is served; default: its "
               "directory's"},
      {.name = "dtype",
       .kind = choice,
       .scope = scope,
       .fallback = "auto",
       .help = "element type of weights and KV cache; auto: as stored",
       .choices = {"auto", "f32", "f16", "bf16"},
       .synonyms = dtype_synonyms()},
      {.name = "rope_theta",
       .kind = real,
       .scope = scope,
       .fallback = "auto",
       .help = "base of the rotary frequencies in place of the model's own",
       .least = 0,
       .most = 1e12,
       .synonyms = {{"auto", "0"}}},
      {.name = "rope_scaling",
       .scope = scope,
       .help = "scaling of rotary positions in place of the model's own: JSON "
               "as in config.json"},
      {.name = "load_split_model",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "read the weights from the directory pytorch_model.bin, one "
               "file per tensor"},
      {.name = "low_cpu_mem_usage",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "forget each tensor of the checkpoint once it is packed"},
      {.name = "compiled_graph_path",
       .scope = scope,
       .help = "directory of compiled artefacts that must fit; none: ignore "
               "the model's own 'compiled'"},
      {.name = "artifact_cache",
       .scope = scope,
       .fallback = "auto",
       .help = "directory that keeps programs and packed weights for the next "
               "start; none; auto: $XDG_CACHE_HOME/ganglion, for models from "
               "64 MiB"},
  };
}

option_table graph_options() {
  constexpr auto scope = option_scope::graph;
  return {
      {.name = "tensor_parallel_degree",
       .kind = integer,
       .scope = scope,
       .fallback = "1",
       .help = "NeuronCores that share the model; max: all of the instance",
       .aliases = {"tp_degree"},
       .variable = "TENSOR_PARALLEL_DEGREE",
       .least = 0,
       .most = 64,
       .synonyms = {{"max", "0"}}},
      {.name = "instance",
       .scope = scope,
       .fallback = "host",
       .help = "instance profile: cores, memory and allowed degrees"},
      {.name = "collectives",
       .kind = choice,
       .scope = scope,
       .fallback = "lease",
       .help = "how ranks reduce: over leased shared memory or by messages",
       .choices = {"lease", "message"}},
      {.name = "group_query_attention",
       .kind = choice,
       .scope = scope,
       .fallback = "auto",
       .help = "where keys and values live on the ranks; auto: with their "
               "query heads, copied where ranks outnumber them",
       .choices = {"auto", "shard-over-heads", "shard-over-batch",
                   "replicated-heads", "all-gather-heads"}},
      {.name = "shard_over_sequence",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "spread a sequence's KV positions over the ranks that share a "
               "KV head (flash decoding)"},
      {.name = "pad_heads",
       .kind = choice,
       .scope = scope,
       .fallback = "auto",
       .help = "heads of zeros for degrees that do not divide the heads; "
               "auto: on NeuronCore instances only",
       .choices = {"auto", "true", "false"}},
      {.name = "expert_sharding",
       .kind = choice,
       .scope = scope,
       .fallback = "split",
       .help = "how ranks share experts: a part of each, or whole ones",
       .choices = {"split", "distributed"}},
      {.name = "threads",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "kernel threads of all ranks together; auto: allowed CPUs",
       .least = 0,
       .most = 1024,
       .synonyms = {{"auto", "0"}}},
      {.name = "n_positions",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "longest sequence in tokens; auto: the model's own limit",
       .least = 0,
       .most = 16 * million,
       .synonyms = {{"auto", "0"}}},
      {.name = "chunk",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "most token rows in one step, decode and prefill together; "
               "auto: the largest context_length_estimate, else 64",
       .aliases = {"max_prefill_chunk"},
       .least = 0,
       .most = max_chunk,
       .synonyms = {{"auto", "0"}}},
      {.name = "context_length_estimate",
       .kind = integer_list,
       .scope = scope,
       .help = "row counts that step graphs are compiled for besides the "
               "chunk; default: 8, 64, ... below it"},
      {.name = "attention_layout",
       .kind = choice,
       .scope = scope,
       .fallback = "HSB",
       .help = "how hidden states lie in attention; results are the same",
       .choices = {"HSB", "BSH"}},
      {.name = "collectives_layout",
       .kind = choice,
       .scope = scope,
       .fallback = "HSB",
       .help = "how hidden states lie where ranks reduce; results are the "
               "same",
       .choices = {"HSB", "BSH"}},
      {.name = "all_reduce_dtype",
       .kind = choice,
       .scope = scope,
       .fallback = "f32",
       .help = "what partial sums of ranks are rounded to before they are "
               "added in f32",
       .choices = {"f32", "f16", "bf16"},
       .synonyms = dtype_synonyms()},
      {.name = "cast_logits_dtype",
       .kind = choice,
       .scope = scope,
       .fallback = "f32",
       .help = "what logits are rounded to",
       .choices = {"f32", "f16", "bf16"},
       .synonyms = dtype_synonyms()},
      {.name = "sequence_parallel_norm",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "ranks norm a part of the rows each in steps of many rows"},
      {.name = "sequence_parallel_norm_threshold",
       .kind = integer,
       .scope = scope,
       .fallback = "2048",
       .help = "rows of a step above which sequence_parallel_norm applies",
       .least = 1,
       .most = million},
      {.name = "enable_saturate_infinity",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "values too large for the dtype become its largest, not "
               "infinite"},
      {.name = "enable_mixed_precision_accumulation",
       .kind = boolean,
       .scope = scope,
       .fallback = "true",
       .help = "accumulate in f32, which the host device always does"},
      {.name = "block_size",
       .kind = integer,
       .scope = scope,
       .fallback = "32",
       .help = "positions in one KV block, a multiple of 16",
       .least = 16,
       .most = 4096},
      {.name = "kv_blocks",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "KV blocks of each core; auto: enough for a full batch, within "
               "memory",
       .least = 0,
       .most = 16 * million,
       .synonyms = {{"auto", "0"}}},
  };
}

option_table scheduling_options() {
  constexpr auto scope = option_scope::scheduling;
  return {
      {.name = "max_rolling_batch_size",
       .kind = integer,
       .scope = scope,
       .fallback = "32",
       .help = "most sequences that are generated at the same time",
       .least = 1,
       .most = 4096},
      {.name = "job_queue_size",
       .kind = integer,
       .scope = scope,
       .fallback = "1000",
       .help = "most requests that wait; more are refused",
       .least = 1,
       .most = million},
      {.name = "max_new_tokens",
       .kind = integer,
       .scope = scope,
       .fallback = "30",
       .help = "new tokens of a request that does not say how many",
       .least = 1,
       .most = 16 * million},
      {.name = "max_new_tokens_limit",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "most new tokens a request may ask for; auto: n_positions",
       .least = 0,
       .most = 16 * million,
       .synonyms = {{"auto", "0"}}},
      {.name = "max_prompt_length",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "longest prompt in tokens; auto: n_positions",
       .least = 0,
       .most = 16 * million,
       .synonyms = {{"auto", "0"}}},
      {.name = "request_timeout",
       .kind = real,
       .scope = scope,
       .fallback = "none",
       .help = "seconds from arrival to the last token",
       .least = 0,
       .most = million,
       .synonyms = {{"none", "0"}}},
      {.name = "seed",
       .kind = integer,
       .scope = scope,
       .fallback = "random",
       .help = "seed of sampled requests that bring none",
       .least = -1,
       .synonyms = {{"random", "-1"}}},
  };
}

option_table server_options() {
  constexpr auto scope = option_scope::server;
  return {
      {.name = "host",
       .scope = scope,
       .fallback = "127.0.0.1",
       .help = "address to listen on"},
      {.name = "port",
       .kind = integer,
       .scope = scope,
       .fallback = "8080",
       .help = "port to listen on; 0: any free one, which is printed",
       .least = 0,
       .most = 65535},
      {.name = "max_request_size",
       .kind = integer,
       .scope = scope,
       .fallback = "67108864",
       .help = "largest request body in bytes",
       .least = 1,
       .most = 1e12},
      {.name = "strict",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "refuse unknown keys and parameters instead of warning"},
      {.name = "log_level",
       .kind = choice,
       .scope = scope,
       .fallback = "info",
       .help = "least important lines to log",
       .choices = {"trace", "debug", "info", "warn", "error", "off"}},
  };
}

} // namespace

const option_table &engine_options() {
  static const option_table table = [] {
    option_table all;
    for (const auto &part : {model_options(), graph_options(),
                             scheduling_options(), server_options()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

} // namespace ganglion::runtime

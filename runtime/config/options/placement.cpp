// Options of cores: how many, who keeps what, and how it is stored.
// stored.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table placement() {
  using enum option_kind;
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
               "KV head (flash decoding)",
       .variable = "NEURON_SHARD_OVER_SEQUENCE"},
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
      {.name = "quantize",
       .kind = choice,
       .scope = scope,
       .fallback = "none",
       .help = "weights of the decoder layers; static_int8: int8 with a scale "
               "for every output; int8_dynamic: activations in int8 too, with "
               "a scale for every row, but for those of experts; int4: weights "
               "in four bits with a scale for every group of inputs, "
               "activations as with int8_dynamic",
       .choices = {"none", "static_int8", "int8_dynamic", "int4"}},
      {.name = "quantize_group_size",
       .kind = choice,
       .scope = scope,
       .fallback = "32",
       .help = "inputs of a weight that share a scale, with quantize=int4",
       .choices = {"32", "64", "128"}},
      {.name = "quantize_head",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "whether quantize is for the output matrix as well; a tied "
               "embedding stays as it is"},
      {.name = "load_in_8bit",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "the same as quantize=static_int8"},
      {.name = "kv_cache_quant",
       .kind = choice,
       .scope = scope,
       .fallback = "none",
       .help = "KV cache; s8: int8 with a scale for every position and head",
       .choices = {"none", "s8"},
       .synonyms = {{"int8", "s8"}}},
      {.name = "threads",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "kernel threads of all ranks together; auto: allowed CPUs",
       .variable = "OMP_NUM_THREADS",
       .least = 0,
       .most = 1024,
       .synonyms = {{"auto", "0"}}},
  };
}

} // namespace ganglion::runtime::options

// Options of the form of step graphs, those of transformers-neuronx.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table form() {
  using enum option_kind;
  constexpr auto scope = option_scope::graph;
  return {
      {.name = "fuse_qkv",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "one product makes queries, keys and values; results are the "
               "same"},
      {.name = "on_device_embedding",
       .kind = boolean,
       .scope = scope,
       .fallback = "true",
       .help =
           "step graphs take token ids; false: rows of the embedding, which "
           "each rank looks up before a step",
       .variable = "NEURON_ON_DEVICE_EMBEDDING"},
      {.name = "qkv_tiling",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "the weight of fuse_qkv is cut into tiles of 128 outputs; "
               "results are the same"},
      {.name = "weight_tiling",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "the other matrices of layers are cut into tiles of 128 by 128; "
               "results are the same"},
      {.name = "cache_layout",
       .kind = choice,
       .scope = scope,
       .fallback = "SBH",
       .help = "how KV caches lie in graphs: positions of a block first, or "
               "blocks; results are the same",
       .choices = {"SBH", "BSH"}},
      {.name = "unroll",
       .kind = integer,
       .scope = scope,
       .fallback = "none",
       .help = "layers in a program that is run for as many at a time, a "
               "divisor of all; none: all are in one",
       .least = 0,
       .most = 4096,
       .synonyms = {{"none", "0"}}},
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
       .help = "ranks norm a part of the rows each in steps of many rows",
       .aliases = {"sequence_parallel"},
       .variable = "NEURON_SEQUENCE_PARALLEL"},
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
       .help = "sums that leave a product in f32 stay so; false: they are "
               "rounded to the dtype"},
  };
}

} // namespace ganglion::runtime::options

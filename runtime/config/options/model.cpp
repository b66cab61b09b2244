// Options of the model: where it is and how its checkpoint is read.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table model() {
  using enum option_kind;
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
       .aliases = {"amp"},
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
      {.name = "chat_template",
       .scope = scope,
       .help = "file of the chat template in place of the model's own: Jinja, "
               "or JSON with the member chat_template"},
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
               "64 MiB",
       .variable = "NEURON_COMPILE_CACHE_URL"},
      {.name = "artifact_cache_limit",
       .kind = integer,
       .scope = scope,
       .fallback = "64",
       .help = "GiB that artifact_cache may take, the least recently used "
               "making room; 0: no limit",
       .least = 0,
       .most = 1 << 20},
  };
}

} // namespace ganglion::runtime::options

// Options of where models come from, and what is kept of them.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table location() {
  using enum option_kind;
  constexpr auto scope = option_scope::model;
  return {
      {.name = "revision",
       .scope = scope,
       .fallback = "main",
       .help = "branch, tag or commit of a model of the hub",
       .variable = "HF_REVISION"},
      {.name = "hf_token",
       .scope = scope,
       .help = "token for the hub; default: what HuggingFace's login left in "
               "hf_home",
       .variable = "HF_TOKEN",
       .secret = true},
      {.name = "hf_endpoint",
       .scope = scope,
       .fallback = "https://huggingface.co",
       .help = "address of the hub",
       .variable = "HF_ENDPOINT"},
      {.name = "hf_home",
       .scope = scope,
       .help = "directory of HuggingFace's cache and token; default: "
               "$XDG_CACHE_HOME/huggingface",
       .variable = "HF_HOME"},
      {.name = "hf_hub_offline",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "take models of the hub from the cache alone",
       .variable = "HF_HUB_OFFLINE"},
      {.name = "download_dir",
       .scope = scope,
       .help = "directory for models from S3 and for unpacked archives; "
               "default: $XDG_CACHE_HOME/ganglion/models"},
      {.name = "model_size_limit",
       .kind = integer,
       .scope = scope,
       .fallback = "1024",
       .help = "GiB that a model may have that is downloaded or unpacked",
       .least = 1,
       .most = 1 << 20},
  };
}

} // namespace ganglion::runtime::options

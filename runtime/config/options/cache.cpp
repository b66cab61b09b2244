// Options of the blocks that KV caches consist of.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table cache() {
  using enum option_kind;
  constexpr auto scope = option_scope::graph;
  return {
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

} // namespace ganglion::runtime::options

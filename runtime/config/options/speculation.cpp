// Options of guessed tokens: who guesses, and how many.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table speculation() {
  using enum option_kind;
  constexpr auto scope = option_scope::speculation;
  return {
      {.name = "speculative_draft_model",
       .scope = scope,
       .fallback = "none",
       .help = "directory of a small model with the same vocabulary that "
               "guesses tokens; ngram: the text's own past does; none",
       .aliases = {"draft_model_id"}},
      {.name = "speculative_length",
       .kind = integer,
       .scope = scope,
       .fallback = "5",
       .help = "most tokens guessed in a row",
       .aliases = {"spec_length"},
       .least = 1,
       .most = 64},
      {.name = "speculative_ngram_size",
       .kind = integer,
       .scope = scope,
       .fallback = "3",
       .help = "tokens that must have stood together before (ngram)",
       .least = 1,
       .most = 16},
      {.name = "draft_model_tp_size",
       .kind = integer,
       .scope = scope,
       .fallback = "auto",
       .help = "NeuronCores that share the draft model: 1 or "
               "tensor_parallel_degree; auto: the latter if it fits",
       .least = 0,
       .most = 64,
       .synonyms = {{"auto", "0"}}},
      {.name = "draft_model_compiled_path",
       .scope = scope,
       .help = "compiled_graph_path of the draft model"},
  };
}

} // namespace ganglion::runtime::options

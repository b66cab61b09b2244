// Options of step graphs: how many sequences and rows they are for.
#include "runtime/config/engine_config.hpp"
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table step() {
  using enum option_kind;
  constexpr auto scope = option_scope::graph;
  return {
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
               "chunk; default: 8, 64, ... below it",
       .variable = "NEURON_CONTEXT_LENGTH_ESTIMATE"},
      {.name = "batch_size",
       .kind = integer_list,
       .scope = scope,
       .help = "most sequences at the same time, as max_rolling_batch_size; a "
               "list has step graphs compiled for so many rows too",
       .aliases = {"max_dynamic_batch_size"},
       .least = 1,
       .most = 4096},
      {.name = "output_all_logits",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "step graphs give the logits of all their rows, and forward "
               "those of all positions"},
      {.name = "neuron_optimize_level",
       .kind = integer,
       .scope = scope,
       .fallback = "2",
       .help = "work that goes into programs: 1 runs graphs as they are built, "
               "2 simplifies them, 3 also tries orders of their instructions; "
               "results are the same",
       .least = 1,
       .most = 3},
  };
}

} // namespace ganglion::runtime::options

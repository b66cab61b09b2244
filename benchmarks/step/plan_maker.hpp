// Step plans of a fixed script: prompts fed in chunks, then all sequences
// decoded together, each sequence in blocks of its own.
#pragma once

#include "runtime/scheduling/step_plan.hpp"
#include "runtime/shard/model_plan.hpp"

namespace ganglion::benchmarks {

class plan_maker {
public:
  /// Throws `out_of_memory` when the pool cannot hold all slots in full.
  plan_maker(const runtime::model_plan &plan, std::int64_t vocabulary);

  /// The chunk of `rows` prompt tokens of sequence `slot` from position
  /// `first`. The first chunk starts the sequence; the last one samples.
  runtime::step_plan prefill(std::int64_t slot, std::int64_t first,
                             std::int64_t rows, bool last) const;

  /// The next token of the sequences 0..batch-1, which all have `context`
  /// positions filled and their last token sampled.
  runtime::step_plan decode(std::int64_t batch, std::int64_t context) const;

  /// A token of a prompt, spread over the vocabulary; the same every time.
  std::int32_t prompt_token(std::int64_t slot, std::int64_t position) const;

private:
  std::int64_t first_block(std::int64_t slot) const;
  void add_row(runtime::step_plan &p, std::int64_t slot, std::int64_t position,
               std::int32_t token) const;
  void add_tables(runtime::step_plan &p, std::int64_t slot,
                  std::int64_t context) const;

  runtime::model_plan plan_;
  std::int64_t vocabulary_;
};

} // namespace ganglion::benchmarks

#include "benchmarks/step/plan_maker.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::benchmarks {

plan_maker::plan_maker(const runtime::model_plan &plan, std::int64_t vocabulary)
    : plan_(plan),
      vocabulary_(vocabulary) {
  if (plan.blocks < plan.slots / plan.kv_partitions * plan.max_blocks)
    throw error(error_code::out_of_memory,
                "the KV pool of " + std::to_string(plan.blocks) +
                    " blocks does not hold " + std::to_string(plan.slots) +
                    " whole sequences; use a smaller batch or prompt",
                "step", "batch");
}

std::int32_t plan_maker::prompt_token(std::int64_t slot,
                                      std::int64_t position) const {
  // Not the first ids, which tend to be special.
  const std::int64_t least = vocabulary_ > 16 ? 8 : 0;
  return static_cast<std::int32_t>(least + (slot * 7919 + position * 104729) %
                                               (vocabulary_ - least));
}

/// Of a sequence in its pool.
std::int64_t plan_maker::first_block(std::int64_t slot) const {
  return slot / plan_.kv_partitions * plan_.max_blocks;
}

void plan_maker::add_row(runtime::step_plan &p, std::int64_t slot,
                         std::int64_t position, std::int32_t token) const {
  const auto block = plan_.plan_block;
  p.token_ids.push_back(token);
  p.positions.push_back(static_cast<std::int32_t>(position));
  p.rotary_lengths.push_back(static_cast<std::int32_t>(position + 1));
  p.row_slots.push_back(static_cast<std::int32_t>(slot));
  p.write_slots.push_back(static_cast<std::int32_t>(
      (first_block(slot) + position / block) * block + position % block));
}

void plan_maker::add_tables(runtime::step_plan &p, std::int64_t slot,
                            std::int64_t context) const {
  const auto width = plan_.max_blocks;
  p.block_tables.resize(static_cast<std::size_t>(plan_.slots * width));
  p.context_lengths.resize(static_cast<std::size_t>(plan_.slots));
  for (std::int64_t b = 0; b < width; ++b)
    p.block_tables[static_cast<std::size_t>(slot * width + b)] =
        static_cast<std::int32_t>(first_block(slot) + b);
  p.context_lengths[static_cast<std::size_t>(slot)] =
      static_cast<std::int32_t>(context);
}

runtime::step_plan plan_maker::prefill(std::int64_t slot, std::int64_t first,
                                       std::int64_t rows, bool last) const {
  runtime::step_plan p;
  for (std::int64_t i = first; i < first + rows; ++i)
    add_row(p, slot, i, prompt_token(slot, i));
  add_tables(p, slot, first + rows);
  const auto number = static_cast<std::int32_t>(slot);
  if (first == 0)
    p.setups.push_back(
        {number, {}, std::make_shared<const std::vector<std::int32_t>>()});
  if (last)
    p.logits.push_back(
        {static_cast<std::int32_t>(rows - 1), number, first + rows, true});
  return p;
}

runtime::step_plan plan_maker::decode(std::int64_t batch,
                                      std::int64_t context) const {
  runtime::step_plan p;
  for (std::int64_t slot = 0; slot < batch; ++slot) {
    const auto number = static_cast<std::int32_t>(slot);
    add_row(p, slot, context, runtime::last_sampled);
    add_tables(p, slot, context + 1);
    p.logits.push_back({number, number, context + 1, true});
  }
  return p;
}

} // namespace ganglion::benchmarks

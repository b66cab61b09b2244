#include "actors/scheduler_settings.hpp"

#include "runtime/speculation/ngram_guesser.hpp"

namespace ganglion::actors {

namespace {

/// Dynamic rotary embedding turns positions by the length of the prompt once
/// that exceeds the original maximum.
std::int64_t shared_positions(const runtime::loaded_model &model) {
  const auto &dynamic = model.source->spec().rotary.dynamic;
  return dynamic ? std::min(static_cast<std::int64_t>(dynamic->original),
                            model.plan.n_positions)
                 : model.plan.n_positions;
}

runtime::guesser_factory guessers_of(const runtime::engine_config &config,
                                     const environment &surroundings) {
  if (surroundings.guessers)
    return surroundings.guessers;
  const auto &c = config.speculation;
  if (!c.on())
    return {};
  if (c.has_model())
    return [] { return nullptr; };
  return [size = static_cast<std::size_t>(c.ngram_size)] {
    return std::make_unique<runtime::ngram_guesser>(size);
  };
}

} // namespace

runtime::scheduler_limits limits_of(const runtime::loaded_model &model,
                                    const runtime::engine_config &config,
                                    const environment &surroundings) {
  const auto &plan = model.plan;
  runtime::scheduler_limits limits;
  limits.slots = plan.slots;
  limits.chunk = plan.chunk;
  limits.block_positions = plan.plan_block;
  limits.pools = plan.kv_partitions;
  limits.blocks = plan.blocks;
  limits.max_blocks = plan.max_blocks;
  limits.n_positions = plan.n_positions;
  if (config.scheduling.enable_prefix_caching)
    limits.shared_positions = shared_positions(model);
  limits.vocabulary = model.source->spec().vocabulary;
  if (const auto &budget = config.scheduling.step_time_budget)
    limits.step_budget =
        std::chrono::duration_cast<std::chrono::nanoseconds>(*budget).count();
  limits.prompt_logit_rows = plan.prompt_logit_rows();
  limits.speculative_length = config.speculation.length;
  limits.guessers = guessers_of(config, surroundings);
  limits.row_share = surroundings.row_share;
  return limits;
}

} // namespace ganglion::actors

// A tensor-parallel group without actors: one thread per rank and step, for
// tests that look at arithmetic alone.
#pragma once

#include "neuron/collectives/lease_communicator.hpp"
#include "runtime/shard/shard.hpp"

#include <thread>

namespace ganglion::testing {

struct group_settings {
  std::int64_t tp_degree = 1;
  hlo::group_query strategy = hlo::group_query::automatic;
  bool over_sequence = false;
  bool pad_heads = false;
  hlo::expert_sharding experts = hlo::expert_sharding::split;
  runtime::weight_dtype dtype = runtime::weight_dtype::as_stored;
  hlo::weight_quantisation quantize;
  hlo::cache_quantisation kv_cache_quant = hlo::cache_quantisation::none;
  hlo::graph_form form;
  std::int64_t chunk = 64;
  std::int64_t slots = 4;
  std::int64_t block_size = 32;
  int threads = 1;
  neuron::isa set = neuron::available_isas().back();
};

class shard_group {
public:
  shard_group(const std::string &directory, const group_settings &s)
      : model_(runtime::model_source::open(directory)) {
    runtime::engine_config config;
    config.model.dtype = s.dtype;
    config.graph.tensor_parallel_degree = s.tp_degree;
    config.graph.group_query_attention = s.strategy;
    config.graph.shard_over_sequence = s.over_sequence;
    config.graph.pad_heads = s.pad_heads;
    config.graph.experts = s.experts;
    config.graph.quantize = s.quantize;
    config.graph.kv_cache_quant = s.kv_cache_quant;
    config.graph.form = s.form;
    config.graph.chunk = s.chunk;
    config.graph.block_size = s.block_size;
    config.scheduling.max_rolling_batch_size = s.slots;
    plan_ = runtime::plan_model(model_->spec(), config);
    const auto steps =
        runtime::compiled_steps::compile(model_->spec(), plan_, s.set);
    const hlo::placement placed(model_->spec(), plan_.sharding);
    const auto tables = runtime::shared_tables::load(model_, *steps, placed);
    if (s.tp_degree > 1)
      group_ = std::make_shared<neuron::lease_communicator>(
          static_cast<int>(s.tp_degree),
          static_cast<std::size_t>(plan_.chunk * model_->spec().hidden),
          neuron::wait_policy{}, time_);
    for (std::int64_t r = 0; r < s.tp_degree; ++r) {
      runtime::shard_options o;
      o.rank = r;
      o.threads = s.threads;
      o.spin = false;
      ranks_.push_back(std::make_unique<runtime::shard>(
          runtime::shared_model{model_, plan_, steps, tables}, std::nullopt, o,
          runtime::load_progress{}));
      ranks_.back()->join(group_);
    }
  }

  /// Runs the plan on all ranks and returns rank 0's result.
  runtime::step_result step(const runtime::step_plan &plan) {
    std::vector<runtime::step_result> results(ranks_.size());
    std::vector<std::thread> threads;
    for (std::size_t r = 1; r < ranks_.size(); ++r)
      threads.emplace_back([&, r] { results[r] = ranks_[r]->step(plan); });
    results[0] = ranks_[0]->step(plan);
    for (auto &t : threads)
      t.join();
    return results[0];
  }

  /// Feeds positions [first, first + ids.size()) of one sequence in `slot`,
  /// whose blocks are numbered from slot * max_blocks, and returns the logits
  /// of every row. They belong to a prompt of `prompt_length` or come after it.
  std::vector<float> feed(std::int32_t slot, std::int64_t first,
                          std::span<const std::int32_t> ids,
                          std::int64_t prompt_length = 0) {
    return *step(plan_for(slot, first, ids, prompt_length)).logits;
  }

  runtime::step_plan plan_for(std::int32_t slot, std::int64_t first,
                              std::span<const std::int32_t> ids,
                              std::int64_t prompt_length = 0) const {
    runtime::step_plan p;
    const auto block = plan_.plan_block, table = plan_.max_blocks;
    const auto first_block = slot / plan_.kv_partitions * table;
    p.block_tables.assign(static_cast<std::size_t>(plan_.slots * table), 0);
    p.context_lengths.assign(static_cast<std::size_t>(plan_.slots), 0);
    for (std::int64_t b = 0; b < table; ++b)
      p.block_tables[static_cast<std::size_t>(slot * table + b)] =
          static_cast<std::int32_t>(first_block + b);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto position = first + static_cast<std::int64_t>(i);
      p.token_ids.push_back(ids[i]);
      p.positions.push_back(static_cast<std::int32_t>(position));
      p.rotary_lengths.push_back(
          static_cast<std::int32_t>(std::max(prompt_length, position + 1)));
      p.row_slots.push_back(slot);
      p.write_slots.push_back(static_cast<std::int32_t>(
          (first_block + position / block) * block + position % block));
      p.logits.push_back(
          {static_cast<std::int32_t>(i), slot, position + 1, true});
    }
    p.context_lengths[static_cast<std::size_t>(slot)] =
        static_cast<std::int32_t>(first +
                                  static_cast<std::int64_t>(ids.size()));
    p.return_logits = true;
    return p;
  }

  const hlo::decoder_spec &spec() const { return model_->spec(); }
  const runtime::model_plan &plan() const { return plan_; }

private:
  steady_clock time_;
  std::shared_ptr<const runtime::model_source> model_;
  runtime::model_plan plan_;
  std::shared_ptr<neuron::communicator> group_;
  std::vector<std::unique_ptr<runtime::shard>> ranks_;
};

} // namespace ganglion::testing

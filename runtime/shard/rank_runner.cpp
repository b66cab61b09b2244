#include "runtime/shard/rank_runner.hpp"

#include "neuron/kernels/kernels.hpp"

#include <algorithm>

namespace ganglion::runtime {

using neuron::collective_status;

rank_runner::rank_runner(shared_model model, std::int64_t rank, int members,
                         neuron::core &core, const load_progress &progress)
    : model_(std::move(model)),
      view_(hlo::placement(model_.source->spec(), model_.plan.sharding), rank,
            model_.plan.block_positions, model_.plan.blocks) {
  auto wanted = model_.plan.reservations();
  wanted.push_back({"activations", model_.steps->memory_bytes(members)});
  core.reserve(wanted);
  const hlo::placement placed(model_.source->spec(), model_.plan.sharding);
  weights_ = rank_weights::load(*model_.source, *model_.steps, placed, rank,
                                model_.tables, progress, model_.loading);
  bind_parameters(rank, members);
}

void rank_runner::bind_parameters(std::int64_t rank, int members) {
  const compiled_steps &steps = *model_.steps;
  frame_.rank = static_cast<int>(rank);
  frame_.parameters.resize(steps.parameters());
  inputs_.resize(hlo::step_input_count);
  for (std::int64_t i = 0; i < hlo::step_input_count; ++i) {
    inputs_[i].resize(static_cast<std::size_t>(steps.parameter(i).form.size()));
    frame_.parameters[i] = reinterpret_cast<std::byte *>(inputs_[i].data());
  }
  for (const auto number : steps.cache_parameters()) {
    caches_.emplace_back(steps.parameter(number).bytes());
    frame_.parameters[number] = caches_.back().data();
  }
  for (const auto &w : steps.weights())
    frame_.parameters[w.parameter_number] =
        const_cast<std::byte *>(weights_->at(w.parameter_number));
  if (const auto &table = steps.host_embedding()) {
    const auto number = table->parameter_number;
    embedded_ = aligned_buffer(steps.parameter(number).bytes());
    frame_.parameters[number] = embedded_.data();
    lookup_.type = steps.type();
    lookup_.ids = inputs_[hlo::token_ids].data();
    lookup_.table = weights_->at(number);
    lookup_.out = reinterpret_cast<float *>(embedded_.data());
    lookup_.entries = table->whole[0];
    lookup_.width = table->whole[1];
  }
  arena_ = aligned_buffer(steps.memory_bytes(members));
  frame_.arena = arena_.data();
  if (steps.layer_runs() > 0)
    bind_layers();
}

/// One frame for the beginning and one for each run of the layers' program,
/// with those layers' caches and weights in the places of the first.
void rank_runner::bind_layers() {
  const compiled_steps &steps = *model_.steps;
  const auto number = steps.stream_parameter();
  stream_ = aligned_buffer(steps.parameter(number).bytes());
  frame_.parameters[static_cast<std::size_t>(number)] = stream_.data();
  before_.assign(static_cast<std::size_t>(steps.layer_runs() + 1), frame_);
  for (std::size_t i = 0; i < frame_.parameters.size(); ++i)
    if (const auto place = steps.place_in_layers(static_cast<std::int64_t>(i)))
      before_[static_cast<std::size_t>(place->run + 1)]
          .parameters[static_cast<std::size_t>(place->parameter)] =
          frame_.parameters[i];
}

void rank_runner::fill_inputs(const step_plan &plan,
                              std::span<const std::int32_t> token_ids) {
  const auto fill = [&](hlo::step_input which,
                        std::span<const std::int32_t> from) {
    std::copy(from.begin(), from.end(), inputs_[which].begin());
  };
  fill(hlo::token_ids, token_ids);
  fill(hlo::positions, plan.positions);
  fill(hlo::rotary_lengths, plan.rotary_lengths);
  fill(hlo::row_slots, plan.row_slots);
  fill(hlo::block_tables, plan.block_tables);
  fill_cache_inputs(plan);
  if (lookup_.table) {
    lookup_.rows = static_cast<std::int64_t>(plan.rows());
    kernels().gather(lookup_, {});
  }
  for (std::size_t i = 0; i < plan.logits.size(); ++i)
    inputs_[hlo::logit_rows][i] = plan.logits[i].row;
  frame_.live_tokens = static_cast<std::int64_t>(plan.rows());
  frame_.live_logits = static_cast<std::int64_t>(plan.logits.size());
  inputs_[hlo::live_rows] = {static_cast<std::int32_t>(frame_.live_tokens),
                             static_cast<std::int32_t>(frame_.live_logits)};
}

/// What the rank writes and sees of the rows' sequences.
void rank_runner::fill_cache_inputs(const step_plan &plan) {
  auto &slots = inputs_[hlo::write_slots];
  auto &lengths = inputs_[hlo::context_lengths];
  auto &seen = inputs_[hlo::last_seen];
  for (std::size_t r = 0; r < plan.rows(); ++r) {
    slots[r] = view_.write_slot(plan.write_slots[r], plan.row_slots[r]);
    seen[r] = view_.kept(plan.positions[r] + 1, plan.row_slots[r]) - 1;
  }
  // Padding rows write nowhere: their slot lies past the pool.
  std::fill(slots.begin() + static_cast<std::ptrdiff_t>(plan.rows()),
            slots.begin() + bucket_->rows, view_.nowhere());
  for (std::size_t s = 0; s < lengths.size(); ++s)
    lengths[s] =
        view_.kept(plan.context_lengths[s], static_cast<std::int32_t>(s));
}

collective_status
rank_runner::run(neuron::run_frame &frame, const neuron::program &code,
                 neuron::thread_team &team, neuron::communicator *group,
                 std::uint64_t &sequence, neuron::run_times &times) {
  frame.live_tokens = frame_.live_tokens;
  frame.live_logits = frame_.live_logits;
  frame.group = group;
  frame.sequence = sequence;
  neuron::run_times part;
  const auto status = code.run(frame, team, &part);
  sequence = frame.sequence;
  times.total += part.total;
  times.collectives += part.collectives;
  return status;
}

collective_status
rank_runner::run(const step_plan &plan, std::span<const std::int32_t> token_ids,
                 neuron::thread_team &team, neuron::communicator *group,
                 std::uint64_t &sequence, neuron::run_times &times) {
  bucket_ = &model_.steps->for_rows(static_cast<std::int64_t>(plan.rows()));
  fill_inputs(plan, token_ids);
  // All programs of a step, one after another.
  for (std::size_t i = 0; i < before_.size(); ++i)
    if (const auto status =
            run(before_[i], i == 0 ? *bucket_->begin : *bucket_->layers, team,
                group, sequence, times);
        status != collective_status::ok)
      return status;
  return run(frame_, *bucket_->code, team, group, sequence, times);
}

const float *rank_runner::logits() const {
  return reinterpret_cast<const float *>(frame_.at(bucket_->code->outputs[0]));
}

} // namespace ganglion::runtime

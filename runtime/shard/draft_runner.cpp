#include "runtime/shard/draft_runner.hpp"

namespace ganglion::runtime {

using neuron::collective_status;

namespace {

std::size_t index(std::int32_t slot) { return static_cast<std::size_t>(slot); }

/// Whether the row after `row` is a guess of this model's.
bool is_followed_by_guess(std::span<const std::int32_t> asked,
                          std::size_t row) {
  return row + 1 < asked.size() && asked[row + 1] == guessed_here;
}

} // namespace

draft_runner::draft_runner(const shared_model &model, std::int64_t rank,
                           int members, neuron::core &core,
                           const load_progress &progress)
    : model_(model, model.plan.tp_degree() == 1 ? 0 : rank, members, core,
             progress),
      sampler_(static_cast<std::size_t>(model_.vocabulary()),
               static_cast<std::size_t>(
                   model_.model().steps->buckets().back().logit_rows),
               0, members, model_.kernels()) {}

void draft_runner::add_row(const step_plan &plan,
                           std::span<const std::int32_t> token_ids,
                           std::size_t row) {
  part_.token_ids.push_back(token_ids[row]);
  part_.positions.push_back(plan.positions[row]);
  part_.rotary_lengths.push_back(plan.rotary_lengths[row]);
  part_.row_slots.push_back(plan.row_slots[row]);
  part_.write_slots.push_back(plan.write_slots[row]);
  if (!is_followed_by_guess(plan.token_ids, row))
    return;
  logit_request want;
  want.row = static_cast<std::int32_t>(part_.rows() - 1);
  want.slot = plan.row_slots[row];
  want.position = plan.positions[row] + 1;
  part_.logits.push_back(want);
  wanted_.push_back(row + 1);
}

namespace {

void clear(step_plan &part) {
  for (auto *list : {&part.token_ids, &part.positions, &part.rotary_lengths,
                     &part.row_slots, &part.write_slots})
    list->clear();
  part.logits.clear();
}

} // namespace

/// All rows whose tokens are known.
void draft_runner::begin(const step_plan &plan,
                         std::span<const std::int32_t> token_ids) {
  clear(part_);
  wanted_.clear();
  part_.block_tables = plan.block_tables;
  part_.context_lengths = plan.context_lengths;
  for (std::size_t row = 0; row < plan.rows(); ++row)
    if (plan.followed[index(plan.row_slots[row])] &&
        plan.token_ids[row] != guessed_here)
      add_row(plan, token_ids, row);
}

/// The rows whose tokens were guessed last; false when there are none.
bool draft_runner::begin_next(const step_plan &plan,
                              std::span<const std::int32_t> token_ids) {
  guessed_.swap(wanted_);
  clear(part_);
  wanted_.clear();
  for (const std::size_t row : guessed_)
    add_row(plan, token_ids, row);
  return !guessed_.empty();
}

/// The guesses become part of their sequences until the end of the step.
void draft_runner::take_guesses(std::span<std::int32_t> token_ids,
                                std::span<sampler_state> slots) {
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const std::int32_t token = sampler_.choices()[i].token;
    token_ids[wanted_[i]] = token;
    slots[index(part_.logits[i].slot)].append(token);
  }
}

collective_status
draft_runner::guess(const step_plan &plan, std::span<std::int32_t> token_ids,
                    std::span<sampler_state> slots, neuron::thread_team &team,
                    neuron::communicator *group, std::uint64_t &sequence,
                    neuron::run_times &times) {
  if (model_.model().plan.tp_degree() == 1)
    group = nullptr;
  auto status = collective_status::ok;
  begin(plan, token_ids);
  bool more = part_.rows() > 0;
  while (more && status == collective_status::ok) {
    status = model_.run(part_, part_.token_ids, team, group, sequence, times);
    if (status == collective_status::ok) {
      sampler_.choose(team, part_.logits, part_.token_ids, slots,
                      model_.logits());
      take_guesses(token_ids, slots);
    }
    more = begin_next(plan, token_ids);
  }
  // After a failure all sequences begin anew.
  for (std::size_t row = 0;
       status == collective_status::ok && row < plan.rows(); ++row)
    if (plan.token_ids[row] == guessed_here)
      slots[index(plan.row_slots[row])].roll_back(1);
  return status;
}

} // namespace ganglion::runtime

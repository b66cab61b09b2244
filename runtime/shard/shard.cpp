#include "runtime/shard/shard.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <bit>

namespace ganglion::runtime {

using neuron::collective_status;

namespace {

/// Floats per choice in the gather of tokens: id bits, log-prob, status and
/// count of alternatives, then id bits and log-prob of each alternative.
constexpr std::int64_t head_floats = 4;
constexpr std::int64_t choice_floats(std::int64_t alternatives) {
  return head_floats + 2 * alternatives;
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

} // namespace

shard::shard(std::shared_ptr<const model_source> model, const model_plan &plan,
             std::shared_ptr<const compiled_steps> steps,
             std::shared_ptr<const shared_tables> tables, shard_options options,
             const load_progress &progress)
    : model_(std::move(model)),
      plan_(plan),
      steps_(std::move(steps)),
      options_(std::move(options)),
      core_(static_cast<int>(options_.rank), plan.core_budget),
      team_(options_.threads, options_.cpus, options_.spin),
      view_(hlo::placement(model_->spec(), plan.sharding), options_.rank,
            plan.block_positions, plan.blocks),
      slots_(static_cast<std::size_t>(plan.slots)),
      sampler_(static_cast<std::size_t>(model_->spec().vocabulary),
               static_cast<std::size_t>(steps_->buckets().back().logit_rows),
               static_cast<std::size_t>(plan.max_logprobs), team_.size(),
               neuron::kernels_for(steps_->buckets()[0].code->set)) {
  auto wanted = plan.reservations();
  wanted.push_back({"activations", steps_->memory_bytes(team_.size())});
  core_.reserve(wanted);
  const hlo::placement placed(model_->spec(), plan.sharding);
  weights_ = rank_weights::load(*model_, *steps_, placed, options_.rank,
                                std::move(tables), progress, options_.loading);
  bind_parameters();
  const auto requests = static_cast<std::size_t>(
      steps_->buckets().back().logit_rows + plan.tp_degree());
  const auto width = static_cast<std::size_t>(choice_floats(plan.max_logprobs));
  my_choices_.resize(requests * width);
  all_choices_.resize(requests * width);
}

void shard::bind_parameters() {
  frame_.rank = static_cast<int>(options_.rank);
  const auto &largest = *steps_->buckets().back().code;
  frame_.parameters.resize(largest.parameters.size());
  inputs_.resize(hlo::step_input_count);
  for (std::int64_t i = 0; i < hlo::step_input_count; ++i) {
    inputs_[i].resize(
        static_cast<std::size_t>(largest.parameters[i].form.size()));
    frame_.parameters[i] = reinterpret_cast<std::byte *>(inputs_[i].data());
  }
  for (const auto number : steps_->cache_parameters()) {
    caches_.emplace_back(largest.parameters[number].bytes());
    frame_.parameters[number] = caches_.back().data();
  }
  for (const auto &w : steps_->weights())
    frame_.parameters[w.parameter_number] =
        const_cast<std::byte *>(weights_->at(w.parameter_number));
  arena_ = aligned_buffer(steps_->memory_bytes(team_.size()));
  frame_.arena = arena_.data();
}

void shard::join(std::shared_ptr<neuron::communicator> group) {
  group_ = std::move(group);
  frame_.group = group_.get();
  frame_.sequence = 0;
}

void shard::apply_setups(const step_plan &plan) {
  for (const slot_setup &s : plan.setups) {
    sampler_state &state = slots_[static_cast<std::size_t>(s.slot)];
    state.begin(s.sampling, *s.history,
                static_cast<std::size_t>(model_->spec().vocabulary));
  }
}

void shard::fill_inputs(const step_plan &plan,
                        const compiled_steps::bucket &b) {
  const auto fill = [&](hlo::step_input which,
                        const std::vector<std::int32_t> &from) {
    std::copy(from.begin(), from.end(), inputs_[which].begin());
  };
  fill(hlo::token_ids, plan.token_ids);
  fill(hlo::positions, plan.positions);
  fill(hlo::rotary_lengths, plan.rotary_lengths);
  fill(hlo::row_slots, plan.row_slots);
  fill(hlo::block_tables, plan.block_tables);
  fill_cache_inputs(plan, b);
  auto &tokens = inputs_[hlo::token_ids];
  for (std::size_t r = 0; r < plan.rows(); ++r)
    if (tokens[r] == last_sampled)
      tokens[r] =
          slots_[static_cast<std::size_t>(plan.row_slots[r])].last_token();
  for (std::size_t i = 0; i < plan.logits.size(); ++i)
    inputs_[hlo::logit_rows][i] = plan.logits[i].row;
  frame_.live_tokens = static_cast<std::int64_t>(plan.rows());
  frame_.live_logits = static_cast<std::int64_t>(plan.logits.size());
  inputs_[hlo::live_rows] = {static_cast<std::int32_t>(frame_.live_tokens),
                             static_cast<std::int32_t>(frame_.live_logits)};
}

/// What the rank writes and sees of the rows' sequences.
void shard::fill_cache_inputs(const step_plan &plan,
                              const compiled_steps::bucket &b) {
  auto &slots = inputs_[hlo::write_slots];
  auto &lengths = inputs_[hlo::context_lengths];
  auto &seen = inputs_[hlo::last_seen];
  for (std::size_t r = 0; r < plan.rows(); ++r) {
    slots[r] = view_.write_slot(plan.write_slots[r], plan.row_slots[r]);
    seen[r] = view_.kept(plan.positions[r] + 1, plan.row_slots[r]) - 1;
  }
  // Padding rows write nowhere: their slot lies past the pool.
  std::fill(slots.begin() + static_cast<std::ptrdiff_t>(plan.rows()),
            slots.begin() + b.rows, view_.nowhere());
  for (std::size_t s = 0; s < lengths.size(); ++s)
    lengths[s] =
        view_.kept(plan.context_lengths[s], static_cast<std::int32_t>(s));
}

step_result shard::step(const step_plan &plan) {
  step_result result;
  result.id = plan.id;
  apply_setups(plan);
  const auto &bucket = steps_->for_rows(static_cast<std::int64_t>(plan.rows()));
  fill_inputs(plan, bucket);
  neuron::run_times times;
  result.status = bucket.code->run(frame_, team_, &times);
  result.nanoseconds = times.total;
  result.collective_nanoseconds = times.collectives;
  if (result.status != collective_status::ok)
    return result;
  const auto *logits =
      reinterpret_cast<const float *>(frame_.at(bucket.code->outputs[0]));
  if (plan.return_logits)
    result.logits = std::make_shared<const std::vector<float>>(
        logits, logits + frame_.live_logits * model_->spec().vocabulary);
  result.status = sample(plan, logits, result);
  return result;
}

/// Each rank chooses for its share of the rows, then all learn all choices.
collective_status shard::sample(const step_plan &plan, const float *logits,
                                step_result &result) {
  const auto requests = static_cast<std::int64_t>(plan.logits.size());
  const std::int64_t ranks = plan_.tp_degree();
  const std::int64_t share = divide_up(requests, ranks);
  const std::int64_t first = std::min(options_.rank * share, requests);
  const std::int64_t last = std::min(first + share, requests);
  sampler_.choose(team_,
                  std::span(plan.logits)
                      .subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(last - first)),
                  slots_, logits + first * model_->spec().vocabulary);
  std::int32_t most_top = 0;
  for (const logit_request &want : plan.logits)
    most_top = std::max(most_top, want.top);
  const std::int64_t width = choice_floats(most_top);
  write_choices(last - first, width);
  const auto count = static_cast<std::size_t>(share * width);
  const float *choices = my_choices_.data();
  if (group_) {
    const auto status = group_->all_gather(
        frame_.rank, frame_.sequence++, 1, {my_choices_.data(), count},
        {all_choices_.data(), count * static_cast<std::size_t>(ranks)});
    if (status != collective_status::ok)
      return status;
    choices = all_choices_.data();
  }
  read_choices(plan, choices, width, result);
  return collective_status::ok;
}

/// The first `count` choices of this rank as floats.
void shard::write_choices(std::int64_t count, std::int64_t width) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const chosen_token &chosen = sampler_.choices()[row];
    float *to = my_choices_.data() + i * width;
    *to++ = std::bit_cast<float>(chosen.token);
    *to++ = chosen.logprob;
    *to++ = std::bit_cast<float>(chosen.status);
    *to++ = std::bit_cast<float>(chosen.top_count);
    for (const token_score &t : sampler_.top(row)) {
      *to++ = std::bit_cast<float>(t.token);
      *to++ = t.logprob;
    }
  }
}

/// What all ranks chose, in order of the plan's requests.
void shard::read_choices(const step_plan &plan, const float *choices,
                         std::int64_t width, step_result &result) {
  std::size_t top = 0;
  for (const logit_request &want : plan.logits)
    top += static_cast<std::size_t>(want.top);
  result.tokens.reserve(plan.logits.size());
  result.alternatives.reserve(top);
  for (std::size_t i = 0; i < plan.logits.size(); ++i, choices += width) {
    const logit_request &want = plan.logits[i];
    if (!want.has_token())
      continue;
    sampled_token out{want.slot,
                      std::bit_cast<std::int32_t>(choices[0]),
                      choices[1],
                      static_cast<std::int32_t>(result.alternatives.size()),
                      std::bit_cast<std::int32_t>(choices[3]),
                      std::bit_cast<token_status>(choices[2])};
    for (const float *from = choices + head_floats;
         from < choices + choice_floats(out.top_count); from += 2)
      result.alternatives.push_back(
          {std::bit_cast<std::int32_t>(from[0]), from[1]});
    if (want.sample)
      slots_[static_cast<std::size_t>(want.slot)].append(out.token);
    result.tokens.push_back(out);
  }
}

} // namespace ganglion::runtime

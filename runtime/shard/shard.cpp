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

/// Whether the guess that is the row of `want` is what was chosen there.
bool holds(std::span<const std::int32_t> token_ids, const logit_request &want,
           const sampled_token &before) {
  return before.status == token_status::ok &&
         before.token == token_ids[static_cast<std::size_t>(want.row)];
}

} // namespace

shard::shard(shared_model model, std::optional<shared_model> draft,
             shard_options options, const load_progress &progress)
    : options_(std::move(options)),
      core_(static_cast<int>(options_.rank), model.plan.core_budget),
      team_(options_.threads, options_.cpus, options_.spin),
      model_(std::move(model), options_.rank, team_.size(), core_, progress),
      slots_(static_cast<std::size_t>(plan().slots)),
      sampler_(static_cast<std::size_t>(model_.vocabulary()),
               static_cast<std::size_t>(most_requests()),
               static_cast<std::size_t>(plan().max_logprobs), team_.size(),
               model_.kernels()) {
  if (draft)
    draft_.emplace(*draft, options_.rank, team_.size(), core_, progress);
  token_ids_.reserve(static_cast<std::size_t>(plan().chunk));
  const auto requests =
      static_cast<std::size_t>(most_requests() + plan().tp_degree());
  const auto width =
      static_cast<std::size_t>(choice_floats(plan().max_logprobs));
  my_choices_.resize(requests * width);
  all_choices_.resize(requests * width);
}

/// Rows of a step whose logits may be wanted.
std::int64_t shard::most_requests() const {
  return model_.model().steps->buckets().back().logit_rows;
}

void shard::join(std::shared_ptr<neuron::communicator> group) {
  group_ = std::move(group);
  sequence_ = 0;
}

void shard::apply_setups(const step_plan &plan) {
  for (const slot_setup &s : plan.setups) {
    sampler_state &state = slots_[static_cast<std::size_t>(s.slot)];
    state.begin(s.sampling, *s.history,
                static_cast<std::size_t>(model_.vocabulary()));
  }
}

/// Every row's token: given, chosen last in its slot, or guessed here.
collective_status shard::resolve_tokens(const step_plan &plan,
                                        neuron::run_times &times) {
  token_ids_.assign(plan.token_ids.begin(), plan.token_ids.end());
  for (std::size_t r = 0; r < plan.rows(); ++r)
    if (token_ids_[r] == last_sampled)
      token_ids_[r] =
          slots_[static_cast<std::size_t>(plan.row_slots[r])].last_token();
  if (!draft_)
    return collective_status::ok;
  return draft_->guess(plan, token_ids_, slots_, team_, group_.get(), sequence_,
                       times);
}

step_result shard::step(const step_plan &plan) {
  step_result result;
  result.id = plan.id;
  apply_setups(plan);
  neuron::run_times times;
  result.status = resolve_tokens(plan, times);
  if (result.status == collective_status::ok)
    result.status =
        model_.run(plan, token_ids_, team_, group_.get(), sequence_, times);
  result.nanoseconds = times.total;
  result.collective_nanoseconds = times.collectives;
  if (result.status != collective_status::ok)
    return result;
  const float *logits = model_.logits();
  if (plan.return_logits)
    result.logits = std::make_shared<const std::vector<float>>(
        logits, logits + static_cast<std::int64_t>(plan.logits.size()) *
                             model_.vocabulary());
  result.status = sample(plan, logits, result);
  return result;
}

/// Each rank chooses for its share of the rows, then all learn all choices.
collective_status shard::sample(const step_plan &plan, const float *logits,
                                step_result &result) {
  const auto requests = static_cast<std::int64_t>(plan.logits.size());
  const std::int64_t ranks = this->plan().tp_degree();
  const std::int64_t share = divide_up(requests, ranks);
  const std::int64_t first = std::min(options_.rank * share, requests);
  const std::int64_t last = std::min(first + share, requests);
  sampler_.choose(team_,
                  std::span(plan.logits)
                      .subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(last - first)),
                  token_ids_, slots_, logits + first * model_.vocabulary());
  std::int32_t most_top = 0;
  for (const logit_request &want : plan.logits)
    most_top = std::max(most_top, want.top);
  const std::int64_t width = choice_floats(most_top);
  write_choices(last - first, width);
  const auto count = static_cast<std::size_t>(share * width);
  const float *choices = my_choices_.data();
  if (group_) {
    const auto status = group_->all_gather(
        static_cast<int>(options_.rank), sequence_++, 1,
        {my_choices_.data(), count},
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
    if (want.guesses > 0 && !holds(token_ids_, want, result.tokens.back()))
      out.status = token_status::unreached;
    else if (want.sample)
      slots_[static_cast<std::size_t>(want.slot)].append(out.token);
    result.tokens.push_back(out);
  }
}

} // namespace ganglion::runtime

// Planning: which rows of which sequences make up the next step.
#include "runtime/scheduling/scheduler.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

/// Whether something is asked of the prompt's `position`, and was not yet.
bool asks_of_prompt(const sequence &s, std::int64_t position) {
  return position >= s.prompt_asked && position < s.request.asked_positions();
}

} // namespace

std::shared_ptr<const step_plan> scheduler::plan(time_point now) {
  if (must_wait())
    return nullptr;
  planned record;
  step_plan &p = fresh_plan();
  record.plan = plan_pool_.back();
  add_decode_rows(p, record);
  p.decode_rows = p.rows();
  add_prefill_rows(p, record);
  admit(p, record, now);
  if (p.rows() == 0)
    return nullptr;
  plan_pool_.pop_back();
  p.id = next_plan_++;
  finish_tables(p);
  ++counters_.steps;
  counters_.rows += p.rows();
  plans_.push_back(record);
  return record.plan;
}

/// An empty plan at the back of the pool.
step_plan &scheduler::fresh_plan() {
  if (plan_pool_.empty())
    plan_pool_.push_back(std::make_shared<step_plan>());
  step_plan &p = *plan_pool_.back();
  for (auto *list : {&p.token_ids, &p.positions, &p.rotary_lengths,
                     &p.row_slots, &p.write_slots})
    list->clear();
  p.logits.clear();
  p.setups.clear();
  p.return_logits = false;
  return p;
}

/// Guesses build upon known tokens, and how many hold is known after a step.
/// Others wait too, lest a sequence that guesses miss every other step.
bool scheduler::must_wait() const {
  return !plans_.empty() && std::ranges::any_of(running_, [](auto &s) {
    return s->guesses && s->guesses->drafts();
  });
}

/// A sequence whose last token is already on its way waits for it.
bool scheduler::wants_rows(const sequence &s) const {
  if (s.rows_left() <= 0)
    return false;
  if (s.computed < static_cast<std::int64_t>(s.request.prompt.size()))
    return true;
  return s.generated() < s.request.max_new_tokens &&
         s.length() < limits_.n_positions;
}

void scheduler::add_decode_rows(step_plan &p, planned &record) {
  // A copy: securing blocks may preempt, which changes the list. Whoever is
  // preempted is younger than `s` and so has no rows in this plan yet.
  const auto order = running_;
  for (const auto &s : order) {
    if (s->slot < 0 || s->rows_left() != 1 || !wants_rows(*s))
      continue;
    if (static_cast<std::int64_t>(p.rows()) < limits_.chunk &&
        secure_blocks(*s, s->length())) {
      add_rows(*s, 1, p, record);
      if (s->guesses && s->guesses->drafts())
        add_guesses(*s, p, record);
    }
  }
}

/// Rows that are left for prompts. What they add to a step is what texts wait
/// for; a few are added in any case, lest prompts never end.
std::int64_t scheduler::room_for_prompts(const step_plan &p) const {
  constexpr std::int64_t least = 8;
  auto most = limits_.chunk;
  if (limits_.step_budget > 0 && p.decode_rows > 0)
    most = std::min(
        most, std::max(cost_.rows_within(limits_.step_budget, limits_.chunk),
                       static_cast<std::int64_t>(p.decode_rows) + least));
  return most - static_cast<std::int64_t>(p.rows());
}

void scheduler::add_prefill_rows(step_plan &p, planned &record) {
  for (const auto &s : running_) {
    const auto room = room_for_prompts(p);
    if (s->rows_left() < 2 || room <= 0)
      continue;
    // Its blocks were taken at admission.
    add_rows(*s, std::min(room, s->rows_left()), p, record);
  }
}

/// Another choice of a request starts from the blocks that the first one fills
/// with their prompt, if these are worth waiting for.
bool scheduler::awaits_sibling(const sequence &s) const {
  const auto first = by_id_.find({s.request.id.request, 0});
  if (s.request.id.choice == 0 || s.request.generated_before > 0 ||
      first == by_id_.end())
    return false;
  const sequence &sibling = *first->second;
  return memory_.shareable_blocks(s, s.length() - 1) > 0 &&
         sibling.tokens.size() == s.request.prompt.size();
}

/// Takes waiting sequences in order while there is room for their tokens.
void scheduler::admit(step_plan &p, planned &record, time_point now) {
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto s = *next;
    if (awaits_sibling(*s)) {
      ++next;
      continue;
    }
    const auto room = room_for_prompts(p);
    // A preempted sequence comes back once its last token is known.
    if (room <= 0 || s->pending > 0 || !memory_.admit(*s))
      return;
    next = waiting_.erase(next);
    turns_.note_served(s->turn);
    if (s->generated() == 0)
      s->cached = s->computed;
    if (!s->admitted)
      s->admitted = now;
    counters_.admitted_positions += static_cast<std::uint64_t>(s->length());
    counters_.cached_positions += static_cast<std::uint64_t>(s->computed);
    const auto after = std::upper_bound(
        running_.begin(), running_.end(), s,
        [](auto &a, auto &b) { return a->request.id < b->request.id; });
    running_.insert(after, s);
    p.setups.push_back(
        {s->slot, sampling_of(*s),
         std::make_shared<const std::vector<std::int32_t>>(s->tokens)});
    add_rows(*s, std::min(room, s->rows_left()), p, record);
  }
}

sampled_sequence scheduler::sampling_of(const sequence &s) const {
  const auto &r = s.request;
  const auto longest =
      std::min(static_cast<std::int64_t>(r.prompt.size()) + r.max_new_tokens,
               limits_.n_positions);
  sampled_sequence out;
  out.parameters = r.sampling;
  out.prompt_length = static_cast<std::size_t>(r.given());
  out.max_length = static_cast<std::size_t>(longest);
  out.choice = static_cast<std::uint64_t>(r.id.choice);
  out.processed_logprobs = r.processed_logprobs;
  out.beam_scores = r.beam_scores;
  return out;
}

/// The youngest sequence whose blocks come from the same pool, maybe `s`.
std::shared_ptr<sequence> scheduler::youngest_beside(const sequence &s) const {
  return *std::find_if(running_.rbegin(), running_.rend(), [&](auto &other) {
    return memory_.same_pool(*other, s);
  });
}

/// Makes sure `s` has blocks for its first `positions` positions, preempting
/// younger sequences; false when `s` itself had to go.
bool scheduler::secure_blocks(sequence &s, std::int64_t positions) {
  const auto wanted = static_cast<std::size_t>(memory_.blocks_for(positions));
  while (s.blocks.size() < wanted) {
    if (memory_.extend(s))
      continue;
    const auto youngest = youngest_beside(s);
    preempt(youngest);
    if (youngest.get() == &s)
      return false;
  }
  return true;
}

void scheduler::preempt(std::shared_ptr<sequence> s) {
  ++counters_.preemptions;
  memory_.release(*s);
  std::erase(running_, s);
  queue(std::move(s));
}

void scheduler::add_rows(sequence &s, std::int64_t rows, step_plan &p,
                         planned &record) {
  for (std::int64_t i = 0; i < rows && add_row(s, p, record); ++i)
    continue;
  if (s.rows_left() == 0 && !s.request.prompt_only)
    ++s.pending;
}

/// False when the step has no room for what is asked of the position.
bool scheduler::add_row(sequence &s, step_plan &p, planned &record) {
  const std::int64_t position = s.computed;
  if (asks_of_prompt(s, position) &&
      record.extra_rows == limits_.prompt_logit_rows)
    return false;
  const auto known = static_cast<std::int64_t>(s.tokens.size());
  push_row(s,
           position < known ? s.tokens[static_cast<std::size_t>(position)]
                            : last_sampled,
           p);
  add_logits(s, position, p, record);
  return true;
}

void scheduler::push_row(sequence &s, std::int32_t token, step_plan &p) const {
  const auto size = limits_.block_positions;
  const std::int64_t position = s.computed++;
  p.token_ids.push_back(token);
  p.positions.push_back(static_cast<std::int32_t>(position));
  p.rotary_lengths.push_back(
      static_cast<std::int32_t>(std::max(s.request.given(), position + 1)));
  p.row_slots.push_back(s.slot);
  p.write_slots.push_back(static_cast<std::int32_t>(
      s.blocks[static_cast<std::size_t>(position / size)] * size +
      position % size));
}

/// Guesses for which there are rows, logits, tokens wanted and, without taking
/// any from others, blocks.
std::int64_t scheduler::room_for_guesses(sequence &s, const step_plan &p,
                                         const planned &record) {
  const std::int64_t tokens = std::min(s.request.max_new_tokens - s.generated(),
                                       limits_.n_positions - s.length());
  const std::int64_t room =
      std::min({limits_.chunk - static_cast<std::int64_t>(p.rows()),
                limits_.prompt_logit_rows - record.extra_rows, tokens});
  const auto held = [&] {
    return static_cast<std::int64_t>(s.blocks.size()) * limits_.block_positions;
  };
  while (held() < s.computed + room && memory_.extend(s))
    continue;
  return std::min(room, held() - s.computed);
}

/// Behind the row of its last known token, which is the last row so far.
void scheduler::add_guesses(sequence &s, step_plan &p, planned &record) {
  const auto guesses =
      s.guesses->draft(s.tokens, room_for_guesses(s, p, record),
                       row_share(static_cast<std::int64_t>(p.rows())));
  for (const std::int32_t guess : guesses) {
    push_row(s, guess, p);
    logit_request want = p.logits.back();
    ++want.row;
    ++want.position;
    ++want.guesses;
    p.logits.push_back(want);
    record.owners.push_back(s.request.id);
  }
  s.guessed = static_cast<std::int64_t>(guesses.size());
  record.extra_rows += s.guessed;
}

/// The request for the logits of the row added last, if they are wanted.
void scheduler::add_logits(sequence &s, std::int64_t position, step_plan &p,
                           planned &record) {
  const auto &r = s.request;
  const bool asks = asks_of_prompt(s, position);
  const bool last = position + 1 == s.length();
  const bool ends = r.prompt_only && r.asked_positions() == 0;
  if (!asks && !(last && (!r.prompt_only || ends)))
    return;
  logit_request want;
  want.row = static_cast<std::int32_t>(p.rows() - 1);
  want.slot = s.slot;
  want.position = position + 1;
  want.sample = last && !r.prompt_only;
  if (want.sample)
    want.top = r.top_logprobs;
  if (asks && r.prompt_logprobs && !last) {
    want.target = r.prompt[static_cast<std::size_t>(position + 1)];
    want.top = *r.prompt_logprobs;
  }
  p.logits.push_back(want);
  record.owners.push_back(r.id);
  record.extra_rows += asks;
  s.prompt_asked += asks;
  p.return_logits |= asks && r.prompt_logits;
}

void scheduler::finish_tables(step_plan &p) const {
  p.block_tables.assign(
      static_cast<std::size_t>(limits_.slots * limits_.max_blocks), 0);
  p.context_lengths.assign(static_cast<std::size_t>(limits_.slots), 0);
  p.followed.assign(static_cast<std::size_t>(limits_.slots), 0);
  for (const auto &s : running_) {
    std::copy(s->blocks.begin(), s->blocks.end(),
              p.block_tables.begin() + s->slot * limits_.max_blocks);
    p.context_lengths[static_cast<std::size_t>(s->slot)] =
        static_cast<std::int32_t>(s->computed);
    p.followed[static_cast<std::size_t>(s->slot)] =
        s->guesses && s->guesses->follows();
  }
}

} // namespace ganglion::runtime

#include "runtime/scheduling/scheduler.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

/// Whether something is asked of the prompt's `position`, and was not yet.
bool asks_of_prompt(const sequence &s, std::int64_t position) {
  return position >= s.prompt_asked && position < s.request.asked_positions();
}

} // namespace

scheduler::scheduler(const scheduler_limits &limits)
    : limits_(limits),
      memory_(limits) {}

// --- requests ------------------------------------------------------------

void scheduler::add(sequence_request request) {
  const request_id id = request.id;
  auto s = std::make_shared<sequence>(std::move(request));
  by_id_[id] = s;
  queue(std::move(s));
}

/// Ids rise with arrival: a preempted sequence comes before younger ones.
void scheduler::queue(std::shared_ptr<sequence> s) {
  const auto place = std::upper_bound(
      waiting_.begin(), waiting_.end(), s,
      [](auto &a, auto &b) { return a->request.id < b->request.id; });
  waiting_.insert(place, std::move(s));
}

bool scheduler::remove(request_id id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end())
    return false;
  const auto s = found->second;
  by_id_.erase(found);
  if (s->slot >= 0) {
    memory_.release(*s);
    std::erase(running_, s);
  } else {
    std::erase(waiting_, s);
  }
  return true;
}

std::vector<request_id> scheduler::expired(time_point now) const {
  std::vector<request_id> out;
  for (const auto &[id, s] : by_id_)
    if (s->request.deadline && *s->request.deadline <= now)
      out.push_back(id);
  return out;
}

std::optional<time_point> scheduler::next_deadline() const {
  std::optional<time_point> first;
  for (const auto &[id, s] : by_id_)
    if (s->request.deadline && (!first || *s->request.deadline < *first))
      first = s->request.deadline;
  return first;
}

std::vector<request_id> scheduler::all() const {
  std::vector<request_id> out;
  for (const auto &[id, s] : by_id_)
    out.push_back(id);
  return out;
}

std::vector<request_id> scheduler::under_way() const {
  std::vector<request_id> out;
  for (const auto &s : running_)
    if (s->computed > 0)
      out.push_back(s->request.id);
  return out;
}

// --- planning ------------------------------------------------------------

std::shared_ptr<const step_plan> scheduler::plan() {
  planned record;
  step_plan &p = fresh_plan();
  record.plan = plan_pool_.back();
  add_decode_rows(p, record);
  add_prefill_rows(p, record);
  admit(p, record);
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
        secure_blocks(*s, s->length()))
      add_rows(*s, 1, p, record);
  }
}

void scheduler::add_prefill_rows(step_plan &p, planned &record) {
  for (const auto &s : running_) {
    const auto room = limits_.chunk - static_cast<std::int64_t>(p.rows());
    if (s->rows_left() < 2 || room <= 0)
      continue;
    // Its blocks were taken at admission.
    add_rows(*s, std::min(room, s->rows_left()), p, record);
  }
}

/// Takes waiting sequences in order while there is room for their tokens.
void scheduler::admit(step_plan &p, planned &record) {
  while (!waiting_.empty()) {
    const auto s = waiting_.front();
    const auto room = limits_.chunk - static_cast<std::int64_t>(p.rows());
    // A preempted sequence comes back once its last token is known.
    if (room <= 0 || s->pending > 0 || !memory_.admit(*s))
      return;
    waiting_.pop_front();
    if (s->generated() == 0)
      s->cached = s->computed;
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
  out.prompt_length = r.prompt.size();
  out.max_length = static_cast<std::size_t>(longest);
  out.processed_logprobs = r.processed_logprobs;
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
  const auto size = limits_.block_positions;
  const std::int64_t position = s.computed;
  if (asks_of_prompt(s, position) &&
      record.prompt_rows == limits_.prompt_logit_rows)
    return false;
  ++s.computed;
  const auto known = static_cast<std::int64_t>(s.tokens.size());
  p.token_ids.push_back(position < known
                            ? s.tokens[static_cast<std::size_t>(position)]
                            : last_sampled);
  p.positions.push_back(static_cast<std::int32_t>(position));
  p.rotary_lengths.push_back(static_cast<std::int32_t>(std::max(
      static_cast<std::int64_t>(s.request.prompt.size()), position + 1)));
  p.row_slots.push_back(s.slot);
  p.write_slots.push_back(static_cast<std::int32_t>(
      s.blocks[static_cast<std::size_t>(position / size)] * size +
      position % size));
  add_logits(s, position, p, record);
  return true;
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
  record.prompt_rows += asks;
  s.prompt_asked += asks;
  p.return_logits |= asks && r.prompt_logits;
}

void scheduler::finish_tables(step_plan &p) const {
  p.block_tables.assign(
      static_cast<std::size_t>(limits_.slots * limits_.max_blocks), 0);
  p.context_lengths.assign(static_cast<std::size_t>(limits_.slots), 0);
  for (const auto &s : running_) {
    std::copy(s->blocks.begin(), s->blocks.end(),
              p.block_tables.begin() + s->slot * limits_.max_blocks);
    p.context_lengths[static_cast<std::size_t>(s->slot)] =
        static_cast<std::int32_t>(s->computed);
  }
}

// --- results -------------------------------------------------------------

finish_reason scheduler::reason_after(const sequence &s,
                                      std::int32_t token) const {
  const auto &r = s.request;
  if (r.stop_ids && r.stop_ids->contains(token))
    return finish_reason::stop_sequence;
  if (r.eos_ids && r.eos_ids->contains(token))
    return finish_reason::eos_token;
  const auto generated =
      static_cast<std::int64_t>(s.tokens.size() - r.prompt.size());
  if (generated >= r.max_new_tokens ||
      static_cast<std::int64_t>(s.tokens.size()) >= limits_.n_positions)
    return finish_reason::length;
  return finish_reason::none;
}

std::vector<sequence_event> scheduler::apply(const step_result &result) {
  require(!plans_.empty() && plans_.front().plan->id == result.id,
          "scheduler: a result out of order");
  const planned done = std::move(plans_.front());
  plans_.pop_front();
  std::vector<sequence_event> events;
  std::size_t next_token = 0;
  for (std::size_t i = 0; i < done.owners.size(); ++i) {
    const logit_request &want = done.plan->logits[i];
    const auto *token =
        want.has_token() ? &result.tokens[next_token++] : nullptr;
    const auto found = by_id_.find(done.owners[i]);
    if (found == by_id_.end())
      continue; // removed, or ended by its previous token
    events.push_back(take(*found->second, want, result, token, i));
    if (events.back().ends())
      remove(events.back().request);
  }
  plan_pool_.push_back(done.plan);
  return events;
}

/// What request `want`, the `row`-th of its step, tells of `s`.
sequence_event scheduler::take(sequence &s, const logit_request &want,
                               const step_result &result,
                               const sampled_token *token, std::size_t row) {
  sequence_event event;
  event.request = s.request.id;
  if (token)
    event.top = result.top_of(*token);
  if (token && token->status != token_status::ok) {
    event.failure = token->status;
    event.position = want.position;
    return event;
  }
  if (want.sample) {
    --s.pending;
    s.tokens.push_back(token->token);
    ++counters_.tokens;
    // Every position before the token's was computed for it.
    if (s.slot >= 0 && std::isfinite(token->logprob))
      memory_.publish(s, static_cast<std::int64_t>(s.tokens.size()) - 1);
    event.token = *token;
    event.cached_tokens = s.cached;
    event.finish = reason_after(s, token->token);
    return event;
  }
  if (token)
    event.prompt_token = *token;
  if (s.request.prompt_logits) {
    const auto width = static_cast<std::size_t>(limits_.vocabulary);
    event.logits = {result.logits->data() + row * width, width};
  }
  if (want.position == static_cast<std::int64_t>(s.request.prompt.size()))
    event.finish = finish_reason::length;
  return event;
}

void scheduler::reset_device() {
  plans_.clear();
  for (const auto &[id, s] : by_id_)
    s->pending = 0;
  while (!running_.empty())
    preempt(running_.back());
  memory_.forget_contents();
}

void scheduler::check_invariants() const {
  memory_.check_invariants(running_);
  for (const auto &s : waiting_)
    require(s->slot < 0 && s->blocks.empty(),
            "scheduler: a waiting sequence holds something");
  require(by_id_.size() == running_.size() + waiting_.size(),
          "scheduler: a sequence is in no list or in two");
}

} // namespace ganglion::runtime

#include "runtime/scheduling/scheduler.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

scheduler::scheduler(const scheduler_limits &limits)
    : limits_(limits),
      memory_(limits) {}

// --- requests ------------------------------------------------------------

void scheduler::add(sequence_request request) {
  const sequence_id id = request.id;
  auto s = std::make_shared<sequence>(std::move(request));
  if (limits_.guessers && !s->request.prompt_only)
    s->guesses.emplace(limits_.guessers(), limits_.speculative_length,
                       guessed_here);
  if (by_id_.empty())
    turns_.reset();
  s->turn = turns_.turn_of(
      s->request,
      std::min(s->length() + s->request.max_new_tokens, limits_.n_positions));
  by_id_[id] = s;
  queue(std::move(s));
}

/// A preempted sequence keeps its turn, which comes before those of later ones.
void scheduler::queue(std::shared_ptr<sequence> s) {
  const auto place =
      std::upper_bound(waiting_.begin(), waiting_.end(), s,
                       [](auto &a, auto &b) { return goes_before(*a, *b); });
  waiting_.insert(place, std::move(s));
}

bool scheduler::remove(request_id id) {
  bool removed = false;
  for (auto s = by_id_.lower_bound({id, 0});
       s != by_id_.end() && s->first.request == id;
       s = by_id_.lower_bound({id, 0}))
    removed = remove(s->first);
  return removed;
}

bool scheduler::remove(sequence_id id) {
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
      out.push_back(id.request);
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
    out.push_back(id.request);
  return out;
}

std::vector<request_id> scheduler::under_way() const {
  std::vector<request_id> out;
  for (const auto &s : running_)
    if (s->computed > 0)
      out.push_back(s->request.id.request);
  return out;
}

std::size_t scheduler::running_requests() const {
  std::size_t out = 0;
  const sequence *before = nullptr; // they are in order of ids
  for (const auto &s : running_) {
    out += !before || before->request.id.request != s->request.id.request;
    before = s.get();
  }
  return out;
}

std::optional<time_point> scheduler::waiting_since() const {
  for (const auto &[id, s] : by_id_) // in order of arrival
    if (s->slot < 0)
      return s->request.arrived;
  return std::nullopt;
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
  counters_.nanoseconds += result.nanoseconds;
  const auto rows = static_cast<std::int64_t>(done.plan->rows());
  rows_ = rows - done.extra_rows;
  cost_.note(rows, result.nanoseconds);
  std::vector<sequence_event> events;
  std::size_t next_token = 0;
  for (std::size_t i = 0; i < done.owners.size(); ++i) {
    const logit_request &want = done.plan->logits[i];
    const auto *token =
        want.has_token() ? &result.tokens[next_token++] : nullptr;
    const auto found = by_id_.find(done.owners[i]);
    if (found == by_id_.end())
      continue; // removed, or ended by its previous token
    if (token && token->status == token_status::unreached)
      continue;
    const auto s = found->second;
    const bool plain = want.sample && want.guesses == 0 && s->guessed == 0;
    if (s->guessed > 0 && want.guesses == 0)
      judge_guesses(*s, std::span(result.tokens).subspan(next_token));
    events.push_back(take(*s, want, result, token, i));
    if (events.back().ends())
      remove(events.back().id);
    else if (plain && s->guesses)
      s->guesses->note_token(s->tokens, row_share(rows_));
  }
  plan_pool_.push_back(done.plan);
  return events;
}

/// Before the token of a sequence is taken in: how many guesses behind it
/// hold, whose tokens `after` begins with.
void scheduler::judge_guesses(sequence &s,
                              std::span<const sampled_token> after) {
  const auto judged = after.first(static_cast<std::size_t>(s.guessed));
  const auto held = std::ranges::count_if(judged, [](const auto &t) {
    return t.status != token_status::unreached;
  });
  counters_.guesses.judged += s.guessed;
  counters_.guesses.held += held;
  // What stands behind them in the cache will be written again.
  if (s.slot >= 0)
    s.computed -= s.guessed - held;
  s.guesses->note_judged(s.guessed, held, row_share(rows_));
  s.guessed = 0;
}

/// What request `want`, the `row`-th of its step, tells of `s`.
sequence_event scheduler::take(sequence &s, const logit_request &want,
                               const step_result &result,
                               const sampled_token *token, std::size_t row) {
  sequence_event event;
  event.id = s.request.id;
  event.queued = s.admitted.value_or(s.request.arrived) - s.request.arrived;
  if (token)
    event.top = result.top_of(*token);
  if (token && token->status != token_status::ok) {
    event.failure = token->status;
    event.position = want.position;
    return event;
  }
  if (want.sample) {
    s.pending -= want.guesses == 0;
    s.tokens.push_back(token->token);
    ++counters_.tokens;
    // Every position before the token's was computed for it.
    if (s.slot >= 0 && std::isfinite(token->logprob))
      memory_.publish(s, static_cast<std::int64_t>(s.tokens.size()) - 1);
    event.token = *token;
    event.cached_tokens = s.cached;
    if (s.guesses)
      event.guesses = s.guesses->counts();
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
    s->pending = s->guessed = 0;
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

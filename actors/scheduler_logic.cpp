#include "actors/scheduler_logic.hpp"

#include <algorithm>

namespace ganglion::actors {

using neuron::collective_status;
using runtime::request_id;
using runtime::step_result;

scheduler_logic::scheduler_logic(const runtime::scheduler_limits &limits,
                                 const clock &time, duration stall_limit,
                                 scheduler_outbox &outbox)
    : scheduler_(limits),
      time_(time),
      stall_limit_(stall_limit),
      outbox_(outbox) {}

void scheduler_logic::enqueue(runtime::sequence_request request) {
  const request_id id = request.id.request;
  scheduler_.add(std::move(request));
  if (failure_) // it was on its way when everything failed
    fail(id, failure_->code, failure_->message);
  else
    send_plans();
}

bool scheduler_logic::forget(request_id id,
                             std::optional<std::int32_t> choice) {
  const bool known = choice
                         ? scheduler_.remove(runtime::sequence_id{id, *choice})
                         : scheduler_.remove(id);
  send_plans();
  return known;
}

void scheduler_logic::use_group(std::int64_t ranks) {
  ranks_ = ranks;
  send_plans();
}

void scheduler_logic::send_plans() {
  while (has_group() && steps_.size() < plans_ahead) {
    const auto plan = scheduler_.plan(time_.now());
    if (!plan)
      return;
    step_under_way step;
    step.id = plan->id;
    step.sent = time_.now();
    step.phase = plan->phase();
    step.rows = plan->rows();
    step.results.resize(static_cast<std::size_t>(ranks_));
    step.missing = ranks_;
    steps_.push_back(std::move(step));
    outbox_.send_plan(plan);
  }
}

void scheduler_logic::take_result(std::int64_t rank,
                                  std::shared_ptr<const step_result> result) {
  for (auto &step : steps_) {
    auto &place = step.results[static_cast<std::size_t>(rank)];
    if (step.id != result->id || place)
      continue;
    place = std::move(result);
    --step.missing;
    break;
  }
  finish_steps();
  send_plans();
}

void scheduler_logic::finish_steps() {
  while (!steps_.empty() && steps_.front().missing == 0) {
    const step_under_way step = std::move(steps_.front());
    steps_.pop_front();
    // The next step starts on the shards when the one before it ends.
    if (!steps_.empty())
      steps_.front().sent = time_.now();
    finish_step(step);
  }
}

namespace {

bool same_tokens(const step_result &a, const step_result &b) {
  return std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(),
                    b.tokens.end(), [](const auto &x, const auto &y) {
                      return x.slot == y.slot && x.token == y.token;
                    });
}

} // namespace

void scheduler_logic::finish_step(const step_under_way &step) {
  for (const auto &result : step.results) {
    if (result->status != collective_status::ok) {
      lose_group(to_string(result->status));
      return;
    }
    if (!same_tokens(*result, *step.results[0])) {
      lose_group("ranks disagree on the tokens of a step");
      return;
    }
  }
  outbox_.note_step(step.phase, step.rows, *step.results[0]);
  const time_point now = time_.now();
  for (auto &event : scheduler_.apply(*step.results[0])) {
    event.at = now;
    if (event.failure == runtime::token_status::ok)
      outbox_.send_event(event);
    else
      send_failure(event);
  }
}

/// There was no token: the request fails with all its choices.
void scheduler_logic::send_failure(const runtime::sequence_event &event) {
  scheduler_.remove(event.id.request);
  const auto at = " at position " + std::to_string(event.position);
  if (event.failure == runtime::token_status::none_left)
    outbox_.send_failure(
        event.id.request, error_code::invalid_argument,
        "no token is left to choose from" + at +
            "; allow more in allowed_token_ids, suppress_tokens, "
            "bad_words_ids, logit_bias, no_repeat_ngram_size or "
            "min_new_tokens, which a form of the output (structured_outputs) "
            "may contradict");
  else if (event.failure == runtime::token_status::too_complex)
    outbox_.send_failure(event.id.request, error_code::invalid_argument,
                         "structured_outputs takes more than its limits to "
                         "tell what may follow" +
                             at + "; write it with fewer alternatives");
  else
    outbox_.send_failure(event.id.request, error_code::internal,
                         "the model's logits are not finite" + at);
}

void scheduler_logic::lose_group(const std::string &reason) {
  if (!has_group())
    return;
  ranks_ = 0;
  steps_.clear();
  const auto lost = scheduler_.under_way();
  scheduler_.reset_device();
  for (const request_id id : lost)
    fail(id, error_code::unavailable,
         "the step failed: " + reason + "; the request may be repeated");
  outbox_.report_loss(reason);
}

void scheduler_logic::fail(request_id id, error_code code,
                           const std::string &message) {
  if (scheduler_.remove(id))
    outbox_.send_failure(id, code, message);
}

void scheduler_logic::fail_all(error_code code, const std::string &message) {
  ranks_ = 0;
  steps_.clear();
  scheduler_.reset_device();
  failure_ = {code, message};
  for (const request_id id : scheduler_.all())
    fail(id, code, message);
}

void scheduler_logic::look_at_clock() {
  const time_point now = time_.now();
  for (const request_id id : scheduler_.expired(now))
    fail(id, error_code::timed_out, "the request's time ran out");
  if (!steps_.empty() && now - steps_.front().sent >= stall_limit_)
    lose_group("a rank did not answer within the stall limit");
  send_plans();
}

std::optional<time_point> scheduler_logic::step_since() const {
  if (steps_.empty())
    return std::nullopt;
  return steps_.front().sent;
}

std::optional<time_point> scheduler_logic::next_wake() const {
  auto next = scheduler_.next_deadline();
  if (!steps_.empty()) {
    const time_point stall = steps_.front().sent + stall_limit_;
    if (!next || stall < *next)
      next = stall;
  }
  return next;
}

} // namespace ganglion::actors

// Continuous batching: which rows of which sequences make up the next step.
// Pure and deterministic; knows no threads, clocks or devices.
#pragma once

#include "runtime/scheduling/fair_queue.hpp"
#include "runtime/scheduling/kv_allocator.hpp"
#include "runtime/scheduling/sequence.hpp"
#include "runtime/scheduling/step_plan.hpp"
#include "runtime/speculation/row_cost.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ganglion::runtime {

struct scheduler_limits : kv_limits {
  std::int64_t chunk = 64;     ///< rows of a step; at least `slots`
  std::int64_t max_blocks = 0; ///< of one sequence
  std::int64_t n_positions = 0;
  std::int64_t vocabulary = 0; ///< of a row of returned logits
  /// Rows of a step whose logits are wanted for prompts, or for guesses.
  std::int64_t prompt_logit_rows = 64;
  /// Nanoseconds that a step with rows of texts may be lengthened to by those
  /// of prompts; 0: any.
  std::int64_t step_budget = 0;
  /// Guesses of a sequence in a step at most, and who makes them.
  std::int64_t speculative_length = 0;
  guesser_factory guessers;
  /// What rows take of a step's time, in place of what steps tell.
  std::optional<double> row_share = std::nullopt;
};

/// A new token of a request, or news of its prompt, or its end.
struct sequence_event {
  sequence_id id;
  std::optional<sampled_token> token;
  /// A token of the prompt with its log-prob, in order of position.
  std::optional<sampled_token> prompt_token;
  /// The likeliest alternatives of either.
  std::span<const token_score> top;
  finish_reason finish = finish_reason::none;
  /// One row of prompt logits, in order of position.
  std::span<const float> logits;
  /// Prompt positions that were not computed but found.
  std::int64_t cached_tokens = 0;
  guess_counts guesses; ///< of its tokens so far
  /// From its arrival to the plan that took it in; and when `token` was known,
  /// which whoever has a clock sets.
  duration queued{};
  time_point at{};
  /// Why there is no token at `position`; the request has ended.
  token_status failure = token_status::ok;
  std::int64_t position = 0;

  bool ends() const {
    return finish != finish_reason::none || failure != token_status::ok;
  }
};

struct scheduler_counters {
  std::uint64_t steps = 0, rows = 0, tokens = 0, preemptions = 0;
  /// Positions of admitted sequences, and those of them found computed.
  std::uint64_t admitted_positions = 0, cached_positions = 0;
  guess_counts guesses;         ///< of finished steps
  std::int64_t nanoseconds = 0; ///< that finished steps took on the device
};

/// Decode rows come first, then prefill chunks fill what is left of a step;
/// when blocks run out the youngest sequence is preempted and recomputed
/// later. Plans may be made while earlier ones still run: they refer to tokens
/// not known yet as `last_sampled`.
class scheduler {
public:
  explicit scheduler(const scheduler_limits &limits);

  /// Queues a choice of a request; ids rise with arrival. Its prompt must fit
  /// n_positions.
  void add(sequence_request request);
  /// Forgets a choice and frees what it holds; false if it is unknown.
  bool remove(sequence_id id);
  /// Forgets all choices of a request; false if there is none.
  bool remove(request_id id);
  /// Requests whose deadline has passed. Ids in lists may repeat.
  std::vector<request_id> expired(time_point now) const;
  std::optional<time_point> next_deadline() const;

  /// The next step, or null when there is nothing to compute before the
  /// results of steps under way are known. `now` is noted for what it admits.
  std::shared_ptr<const step_plan> plan(time_point now = {});

  /// Takes in the result of the oldest plan under way. Events point into
  /// `result`.
  std::vector<sequence_event> apply(const step_result &result);

  /// Forgets all plans under way and recomputes every running sequence: the
  /// device lost its caches.
  void reset_device();
  std::vector<request_id> all() const;
  /// Requests of sequences whose caches are filled or being filled.
  std::vector<request_id> under_way() const;
  /// Requests with a running sequence.
  std::size_t running_requests() const;
  /// When the first of those that wait arrived.
  std::optional<time_point> waiting_since() const;

  std::size_t waiting() const { return waiting_.size(); }
  std::size_t running() const { return running_.size(); }
  std::size_t plans_under_way() const { return plans_.size(); }
  std::int64_t free_blocks() const { return memory_.free_blocks(); }
  const scheduler_counters &counters() const { return counters_; }
  void check_invariants() const;

private:
  struct planned {
    std::shared_ptr<step_plan> plan;
    std::vector<sequence_id> owners; ///< of each logit request
    std::int64_t extra_rows = 0;     ///< of them, beyond one for each sequence
  };

  step_plan &fresh_plan();
  void add_decode_rows(step_plan &p, planned &record);
  void add_prefill_rows(step_plan &p, planned &record);
  void admit(step_plan &p, planned &record, time_point now);
  void add_rows(sequence &s, std::int64_t rows, step_plan &p, planned &record);
  bool add_row(sequence &s, step_plan &p, planned &record);
  void push_row(sequence &s, std::int32_t token, step_plan &p) const;
  void add_guesses(sequence &s, step_plan &p, planned &record);
  std::int64_t room_for_guesses(sequence &s, const step_plan &p,
                                const planned &record);
  void add_logits(sequence &s, std::int64_t position, step_plan &p,
                  planned &record);
  void judge_guesses(sequence &s, std::span<const sampled_token> after);
  sequence_event take(sequence &s, const logit_request &want,
                      const step_result &result, const sampled_token *token,
                      std::size_t row);

  std::int64_t room_for_prompts(const step_plan &p) const;
  bool wants_rows(const sequence &s) const;
  bool must_wait() const;
  double row_share(std::int64_t rows) const {
    return limits_.row_share.value_or(cost_.share(rows));
  }
  bool awaits_sibling(const sequence &s) const;
  bool secure_blocks(sequence &s, std::int64_t positions);
  sampled_sequence sampling_of(const sequence &s) const;
  std::shared_ptr<sequence> youngest_beside(const sequence &s) const;
  void queue(std::shared_ptr<sequence> s);
  void preempt(std::shared_ptr<sequence> s);
  void finish_tables(step_plan &p) const;
  finish_reason reason_after(const sequence &s, std::int32_t token) const;

  scheduler_limits limits_;
  kv_allocator memory_;
  /// In order of their turns.
  std::deque<std::shared_ptr<sequence>> waiting_;
  std::vector<std::shared_ptr<sequence>> running_;
  std::map<sequence_id, std::shared_ptr<sequence>> by_id_;
  std::deque<planned> plans_;
  std::vector<std::shared_ptr<step_plan>> plan_pool_;
  std::uint64_t next_plan_ = 1;
  row_cost cost_;
  std::int64_t rows_ = 1; ///< of the latest result, without guesses
  scheduler_counters counters_;
  fair_queue turns_;
};

} // namespace ganglion::runtime

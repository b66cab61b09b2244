// What happens to one request between the scheduler's tokens and the client's
// events: detokenisation, stop strings, the end.
#pragma once

#include "actors/messages.hpp"
#include "runtime/generation/stop_matcher.hpp"
#include "runtime/tokenizer/detokenizer.hpp"

#include <optional>

namespace ganglion::actors {

/// Belongs to one request actor.
class request_logic {
public:
  request_logic(const submit_request &submitted,
                std::shared_ptr<const runtime::loaded_model> model);

  /// Checks the prompt against the model and makes the scheduler's request.
  /// Throws `invalid_argument` naming the field.
  std::shared_ptr<runtime::sequence_request>
  accept(std::vector<std::int32_t> prompt, const runtime::scheduling_config &,
         time_point now, const std::function<std::uint64_t()> &draw_seed);

  /// Turns progress into the event to push; `stopped` is set when a stop
  /// string ended the request and the scheduler must be told.
  generation_event progress(const sequence_progress &p, bool &stopped);
  /// The last event of a request that the client cancelled.
  generation_event cancelled();
  generation_event failure(error_code code, std::string message,
                           std::string field) const;

private:
  /// Lets the detokeniser see the prompt: what a continuation's first token
  /// reads as depends on what it follows.
  void read_prompt(const std::vector<std::int32_t> &prompt);
  void begin_prompt(const std::vector<std::int32_t> &prompt);
  std::string detokenise(std::int32_t token, bool ends);
  std::vector<std::int32_t> end_token_ids() const;
  generated_token described(std::int32_t id) const;
  void add_alternatives(const std::vector<runtime::token_score> &top,
                        generated_token &token) const;
  void add_prompt_token(const sequence_progress &p);
  void add_token(const sequence_progress &p, bool ends,
                 generation_event &event);
  void end(generation_event &event, finish_reason reason);

  request_id id_;
  std::shared_ptr<const generation_request> request_;
  std::shared_ptr<const runtime::loaded_model> model_;
  std::optional<runtime::detokenizer> text_;
  /// Text of the prompt that the detokeniser has still to give back.
  std::string of_prompt_;
  runtime::stop_matcher stops_;
  std::int64_t prompt_tokens_ = 0, cached_tokens_ = 0, generated_ = 0;
  /// The prompt's tokens, if they are wanted, and how many have log-probs.
  std::vector<generated_token> prompt_;
  std::size_t prompt_scored_ = 0;
  std::vector<float> logits_;
};

} // namespace ganglion::actors

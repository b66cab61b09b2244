// What happens to one request between the scheduler's tokens and the client's
// events: its choices, log-probabilities, the end.
#pragma once

#include "actors/beam_rounds.hpp"
#include "actors/choice_text.hpp"
#include "actors/messages.hpp"
#include "runtime/generation/best_of.hpp"

#include <optional>

namespace ganglion::actors {

/// What follows from the scheduler's news.
struct request_outcome {
  std::vector<generation_event> events; ///< to push
  /// A stop string ended the choice: the scheduler must be told.
  bool stopped = false;
  /// To be queued next, if anything is.
  std::shared_ptr<std::vector<runtime::sequence_request>> more = {};
};

/// Belongs to one request actor.
class request_logic {
public:
  request_logic(const submit_request &submitted,
                std::shared_ptr<const runtime::loaded_model> model);

  /// Checks the prompt against the model and makes the scheduler's request for
  /// every choice. Throws `invalid_argument` naming the field.
  std::shared_ptr<std::vector<runtime::sequence_request>>
  accept(prompt_encoded prompt, const runtime::scheduling_config &,
         time_point now, const std::function<std::uint64_t()> &draw_seed);

  /// The place in its grammar of the choice that `p` has a new token of; null
  /// without a grammar or where the choice ends.
  std::shared_ptr<runtime::grammar::cursor>
  follows_grammar(const sequence_progress &p) const;

  request_outcome progress(const sequence_progress &p);
  /// The last events of a request that the client cancelled.
  std::vector<generation_event> cancelled();
  generation_event failure(error_code code, std::string message,
                           std::string field) const;

private:
  runtime::sequence_request
  first_choice(std::vector<std::int32_t> prompt,
               const runtime::scheduling_config &, time_point now,
               const std::function<std::uint64_t()> &draw_seed) const;
  void check_beams(const runtime::scheduling_config &) const;
  void begin_beams(runtime::sequence_request first);
  request_outcome beam_progress(const sequence_progress &p);
  generation_event told_beam(const runtime::beam &b, std::int32_t choice);
  void begin_grammar(const prompt_encoded &prompt,
                     runtime::sequence_request &first);
  void begin_prompt(const std::vector<std::int32_t> &prompt);
  std::vector<std::int32_t> end_token_ids() const;
  generated_token described(std::int32_t id) const;
  void add_alternatives(const std::vector<runtime::token_score> &top,
                        generated_token &token) const;
  void add_prompt_token(const sequence_progress &p);
  void add_token(std::int32_t token, float logprob,
                 const std::vector<runtime::token_score> &top, bool ends,
                 generation_event &event);
  void end(generation_event &event, finish_reason reason);

  request_id id_;
  std::shared_ptr<const generation_request> request_;
  std::shared_ptr<const runtime::loaded_model> model_;
  std::vector<choice_text> choices_; ///< none before the prompt is known
  /// Of each choice, if there is a grammar; only the tokenizer looks at them.
  std::vector<std::shared_ptr<runtime::grammar::cursor>> texts_;
  std::size_t open_ = 0; ///< of them, those that have not ended
  std::optional<runtime::best_of> selection_;
  std::optional<beam_rounds> beams_;
  std::int64_t prompt_tokens_ = 0, cached_tokens_ = 0;
  /// The prompt's tokens, if they are wanted, and how many have log-probs.
  std::vector<generated_token> prompt_;
  std::size_t prompt_scored_ = 0;
  std::vector<float> logits_;
};

} // namespace ganglion::actors

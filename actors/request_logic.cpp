#include "actors/request_logic.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ganglion::actors {

request_logic::request_logic(const submit_request &submitted,
                             std::shared_ptr<const runtime::loaded_model> model)
    : id_(submitted.id),
      request_(submitted.request),
      model_(std::move(model)) {}

namespace {

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

void check_alternatives(const char *field,
                        const std::optional<std::int32_t> &wanted,
                        const runtime::scheduling_config &config) {
  if (wanted && *wanted > config.max_logprobs)
    refuse(field, std::to_string(*wanted) +
                      " alternatives; accepted: at most " +
                      std::to_string(config.max_logprobs) + " (max_logprobs)");
}

std::shared_ptr<const std::set<std::int32_t>>
set_of(const std::vector<std::int32_t> &ids) {
  if (ids.empty())
    return nullptr;
  return std::make_shared<const std::set<std::int32_t>>(ids.begin(), ids.end());
}

} // namespace

std::shared_ptr<std::vector<runtime::sequence_request>>
request_logic::accept(prompt_encoded prompt,
                      const runtime::scheduling_config &config, time_point now,
                      const std::function<std::uint64_t()> &draw_seed) {
  auto first = first_choice(std::move(prompt.ids), config, now, draw_seed);
  prompt_tokens_ = static_cast<std::int64_t>(first.prompt.size());
  if (request_->prompt_logprobs)
    begin_prompt(first.prompt);
  if (request_->num_beams > 1) {
    check_beams(config);
    begin_beams(std::move(first));
    return beams_->next();
  }
  if (prompt.grammar)
    begin_grammar(prompt, first);
  const std::int32_t generated = std::max(request_->n, request_->best_of);
  if (generated > request_->n)
    selection_.emplace(generated, request_->n);
  auto out = std::make_shared<std::vector<runtime::sequence_request>>();
  for (std::int32_t choice = 0; choice < generated; ++choice) {
    choices_.emplace_back(*model_, *request_, first.prompt);
    if (prompt.grammar) {
      texts_.push_back(std::make_shared<runtime::grammar::cursor>());
      texts_.back()->begin(prompt.grammar, {}, 0);
    }
    out->push_back(first);
    out->back().id.choice = choice;
    if (choice > 0) // the prompt is told of once
      out->back().prompt_logprobs.reset();
  }
  open_ = choices_.size();
  return out;
}

runtime::sequence_request request_logic::first_choice(
    std::vector<std::int32_t> prompt, const runtime::scheduling_config &config,
    time_point now, const std::function<std::uint64_t()> &draw_seed) const {
  const std::int64_t positions = model_->plan.n_positions;
  const auto length = static_cast<std::int64_t>(prompt.size());
  const bool prompt_only = request_->prompt_only || request_->prompt_logits;
  // The last position of a prompt must leave room for one new token.
  std::int64_t longest = prompt_only ? positions : positions - 1;
  if (config.max_prompt_length > 0)
    longest = std::min(longest, config.max_prompt_length);
  if (length == 0)
    refuse("inputs", "the prompt has no tokens; accepted: 1 to " +
                         std::to_string(longest));
  if (length > longest)
    refuse("inputs", "the prompt has " + std::to_string(length) +
                         " tokens; accepted: at most " +
                         std::to_string(longest) + " (n_positions " +
                         std::to_string(positions) + ")");
  check_vocabulary(*request_, prompt, model_->source->spec().vocabulary);
  check_alternatives("top_logprobs", request_->top_logprobs, config);
  check_alternatives("prompt_logprobs", request_->prompt_logprobs, config);
  const std::int64_t limit =
      config.max_new_tokens_limit > 0 ? config.max_new_tokens_limit : positions;
  const std::int64_t wanted = request_->max_new_tokens > 0
                                  ? request_->max_new_tokens
                                  : config.max_new_tokens;
  if (request_->max_new_tokens > limit && config.max_new_tokens_limit > 0)
    refuse("max_new_tokens", std::to_string(wanted) +
                                 " exceeds the server's limit; accepted: at "
                                 "most " +
                                 std::to_string(limit));
  runtime::sequence_request out;
  out.id.request = id_;
  out.prompt = std::move(prompt);
  out.sampling = request_->sampling;
  out.sampling.seed = request_->seed ? *request_->seed
                      : config.seed  ? *config.seed
                                     : draw_seed();
  if (request_->sampling.min_new_tokens > 0)
    out.sampling.own_rules().end_token_ids = end_token_ids();
  out.max_new_tokens = prompt_only ? 0 : std::min(wanted, limit);
  out.prompt_only = prompt_only;
  out.prompt_logits = request_->prompt_logits;
  out.cache_salt = request_->cache_salt;
  out.client = request_->client;
  out.prompt_logprobs = request_->prompt_logprobs;
  out.top_logprobs = request_->top_logprobs.value_or(0);
  out.processed_logprobs = request_->processed_logprobs;
  if (!request_->ignore_eos)
    out.eos_ids = model_->eos_ids;
  out.stop_ids = set_of(request_->stop_token_ids);
  if (request_->timeout)
    out.deadline = now + *request_->timeout;
  else if (config.request_timeout)
    out.deadline =
        now + std::chrono::duration_cast<duration>(*config.request_timeout);
  return out;
}

/// Of all choices.
void request_logic::begin_grammar(const prompt_encoded &prompt,
                                  runtime::sequence_request &first) {
  first.sampling.grammar = prompt.grammar;
  auto &ends = first.sampling.own_rules().end_token_ids;
  ends = end_token_ids();
  if (ends.empty())
    refuse("structured_outputs",
           "the model has no token that ends a text; accepted with "
           "stop_token_ids");
}

std::shared_ptr<runtime::grammar::cursor>
request_logic::follows_grammar(const sequence_progress &p) const {
  if (texts_.empty() || !p.token || p.finish != finish_reason::none)
    return nullptr;
  return texts_[static_cast<std::size_t>(p.choice)];
}

/// The tokens that end the text.
std::vector<std::int32_t> request_logic::end_token_ids() const {
  auto out = request_->stop_token_ids;
  if (!request_->ignore_eos && model_->eos_ids)
    out.insert(out.end(), model_->eos_ids->begin(), model_->eos_ids->end());
  return out;
}

/// Notes the prompt's tokens, whose texts put together are the prompt.
void request_logic::begin_prompt(const std::vector<std::int32_t> &prompt) {
  std::optional<runtime::detokenizer> text;
  if (model_->tokens)
    text.emplace(model_->tokens, request_->skip_special_tokens);
  for (const std::int32_t id : prompt) {
    prompt_.push_back(described(id));
    prompt_.back().logprob = std::numeric_limits<float>::quiet_NaN();
    if (text)
      prompt_.back().text = text->push(id);
  }
  if (text)
    prompt_.back().text += text->finish();
  prompt_scored_ = 1;
}

generated_token request_logic::described(std::int32_t id) const {
  generated_token token;
  token.id = id;
  if (model_->tokens) {
    token.special = model_->tokens->is_special(id);
    token.bytes = model_->tokens->odd_bytes_of(id);
  }
  return token;
}

void request_logic::add_alternatives(
    const std::vector<runtime::token_score> &top,
    generated_token &token) const {
  for (const runtime::token_score &t : top) {
    runtime::token_alternative other{t.token, {}, t.logprob, {}};
    if (model_->tokens) {
      other.text = model_->tokens->text_of(t.token);
      other.bytes = model_->tokens->odd_bytes_of(t.token);
    }
    token.top.push_back(std::move(other));
  }
}

void request_logic::add_prompt_token(const sequence_progress &p) {
  generated_token &token = prompt_[prompt_scored_++];
  token.logprob = p.prompt_token->logprob;
  add_alternatives(p.top, token);
}

void request_logic::add_token(std::int32_t id, float logprob,
                              const std::vector<runtime::token_score> &top,
                              bool ends, generation_event &event) {
  generated_token token = described(id);
  token.logprob = logprob;
  add_alternatives(top, token);
  token.text = choices_[static_cast<std::size_t>(event.choice)].add(id, ends);
  event.tokens.push_back(std::move(token));
}

void request_logic::end(generation_event &event, finish_reason reason) {
  choice_text &choice = choices_[static_cast<std::size_t>(event.choice)];
  choice.ended = true;
  event.finish = reason;
  event.open_choices = static_cast<std::int32_t>(--open_);
  event.prompt_tokens = prompt_tokens_;
  event.generated_tokens = choice.tokens();
  event.cached_tokens = cached_tokens_;
  if (!logits_.empty())
    event.logits =
        std::make_shared<const std::vector<float>>(std::move(logits_));
}

request_outcome request_logic::progress(const sequence_progress &p) {
  if (beams_)
    return beam_progress(p);
  if (choices_[static_cast<std::size_t>(p.choice)].ended)
    return {}; // its next token was on its way when a stop string ended it
  request_outcome out;
  generation_event event;
  event.request = id_;
  event.choice = p.choice;
  logits_.insert(logits_.end(), p.logits.begin(), p.logits.end());
  if (p.choice == 0)
    cached_tokens_ = p.cached_tokens;
  const bool ends = p.finish != finish_reason::none;
  if (p.prompt_token)
    add_prompt_token(p);
  if (p.token)
    add_token(p.token->token, p.token->logprob, p.top, ends, event);
  event.guesses = p.guesses;
  out.stopped = choices_[static_cast<std::size_t>(p.choice)].stopped();
  if (p.choice == 0 && (p.token || ends))
    event.prompt = std::exchange(prompt_, {});
  if (out.stopped)
    end(event, finish_reason::stop_sequence);
  else if (ends)
    end(event, p.finish);
  if (selection_)
    out.events = selection_->take(std::move(event));
  else
    out.events.push_back(std::move(event));
  return out;
}

void request_logic::begin_beams(runtime::sequence_request first) {
  runtime::beam_settings s;
  s.beams = request_->num_beams;
  s.length_penalty = request_->length_penalty;
  s.stopping = request_->early_stopping;
  s.max_new_tokens =
      std::min(first.max_new_tokens, model_->plan.n_positions - prompt_tokens_);
  const auto ends = end_token_ids();
  s.end_ids = {ends.begin(), ends.end()};
  first.max_new_tokens = 1;
  first.eos_ids = first.stop_ids = nullptr;
  first.top_logprobs = s.candidates();
  first.beam_scores = true;
  for (std::int32_t choice = 0; choice < request_->n; ++choice)
    choices_.emplace_back(*model_, *request_, first.prompt);
  open_ = choices_.size();
  beams_.emplace(std::move(first), std::move(s));
}

/// A step must tell all candidates of a beam.
void request_logic::check_beams(
    const runtime::scheduling_config &config) const {
  const auto each = std::max<std::size_t>(2, 1 + end_token_ids().size());
  const auto most = static_cast<std::size_t>(config.max_logprobs) / each;
  if (static_cast<std::size_t>(request_->num_beams) > most)
    refuse("num_beams", std::to_string(request_->num_beams) +
                            "; accepted: at most " + std::to_string(most) +
                            " (max_logprobs " +
                            std::to_string(config.max_logprobs) + ", " +
                            std::to_string(each) + " for each beam)");
}

request_outcome request_logic::beam_progress(const sequence_progress &p) {
  request_outcome out;
  if (beams_->search().followed()[0].tokens.empty())
    cached_tokens_ = p.cached_tokens;
  if (!beams_->take(p))
    return out;
  if (!beams_->search().done()) {
    out.more = beams_->next();
    return out;
  }
  const auto best = beams_->search().best(choices_.size());
  if (best.size() < choices_.size())
    out.events.push_back(failure(error_code::invalid_argument,
                                 std::to_string(best.size()) +
                                     " texts are possible of the " +
                                     std::to_string(choices_.size()) +
                                     " that were asked for; allow more tokens",
                                 "n"));
  else
    for (std::int32_t i = 0; i < request_->n; ++i)
      out.events.push_back(told_beam(best[static_cast<std::size_t>(i)], i));
  return out;
}

/// A whole text at once.
generation_event request_logic::told_beam(const runtime::beam &b,
                                          std::int32_t choice) {
  generation_event event;
  event.request = id_;
  event.choice = choice;
  event.beam_score = b.score;
  for (std::size_t i = 0; i < b.tokens.size(); ++i)
    add_token(b.tokens[i], b.logprobs[i], {}, i + 1 == b.tokens.size(), event);
  const std::int32_t last = b.tokens.back();
  const auto &stops = request_->stop_token_ids;
  const bool eos = !request_->ignore_eos && model_->eos_ids &&
                   model_->eos_ids->contains(last);
  end(event, std::ranges::find(stops, last) != stops.end()
                 ? finish_reason::stop_sequence
             : eos ? finish_reason::eos_token
                   : finish_reason::length);
  return event;
}

std::vector<generation_event> request_logic::cancelled() {
  std::vector<generation_event> out;
  if (choices_.empty()) { // the prompt is still being tokenised
    out.emplace_back();
    out.back().request = id_;
    out.back().finish = finish_reason::cancelled;
  }
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (choices_[i].ended)
      continue;
    generation_event event;
    event.request = id_;
    event.choice = static_cast<std::int32_t>(i);
    event.text = choices_[i].rest();
    end(event, finish_reason::cancelled);
    out.push_back(std::move(event));
  }
  return out;
}

generation_event request_logic::failure(error_code code, std::string message,
                                        std::string field) const {
  generation_event event;
  event.request = id_;
  event.failed = true;
  event.code = code;
  event.message = std::move(message);
  event.field = std::move(field);
  event.prompt_tokens = prompt_tokens_;
  for (const choice_text &choice : choices_)
    event.generated_tokens += choice.tokens();
  return event;
}

} // namespace ganglion::actors

#include "actors/request_logic.hpp"

#include <algorithm>

namespace ganglion::actors {

request_logic::request_logic(const submit_request &submitted,
                             std::shared_ptr<const runtime::loaded_model> model)
    : id_(submitted.id),
      request_(submitted.request),
      model_(std::move(model)),
      stops_(request_->stop) {
  if (model_->tokens)
    text_.emplace(model_->tokens, request_->skip_special_tokens);
}

namespace {

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

void check_ids(const std::vector<std::int32_t> &ids, std::int64_t vocabulary) {
  for (const std::int32_t id : ids)
    if (id < 0 || id >= vocabulary)
      refuse("prompt_ids", "token id " + std::to_string(id) +
                               " is outside the vocabulary of " +
                               std::to_string(vocabulary));
}

std::shared_ptr<const std::set<std::int32_t>>
set_of(const std::vector<std::int32_t> &ids) {
  if (ids.empty())
    return nullptr;
  return std::make_shared<const std::set<std::int32_t>>(ids.begin(), ids.end());
}

} // namespace

std::shared_ptr<runtime::sequence_request>
request_logic::accept(std::vector<std::int32_t> prompt,
                      const runtime::scheduling_config &config, time_point now,
                      const std::function<std::uint64_t()> &draw_seed) {
  const std::int64_t positions = model_->plan.n_positions;
  const auto length = static_cast<std::int64_t>(prompt.size());
  // The last position of a prompt must leave room for one new token.
  std::int64_t longest = request_->prompt_logits ? positions : positions - 1;
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
  check_ids(prompt, model_->source->spec().vocabulary);
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
  auto out = std::make_shared<runtime::sequence_request>();
  out->id = id_;
  read_prompt(prompt);
  out->prompt = std::move(prompt);
  out->sampling = request_->sampling;
  out->sampling.seed = request_->seed ? *request_->seed
                       : config.seed  ? *config.seed
                                      : draw_seed();
  out->max_new_tokens = std::min(wanted, limit);
  out->prompt_logits = request_->prompt_logits;
  out->cache_salt = request_->cache_salt;
  if (out->prompt_logits)
    out->max_new_tokens = 0;
  if (!request_->ignore_eos)
    out->eos_ids = model_->eos_ids;
  out->stop_ids = set_of(request_->stop_token_ids);
  if (request_->timeout)
    out->deadline = now + *request_->timeout;
  else if (config.request_timeout)
    out->deadline =
        now + std::chrono::duration_cast<duration>(*config.request_timeout);
  prompt_tokens_ = length;
  return out;
}

void request_logic::read_prompt(const std::vector<std::int32_t> &prompt) {
  if (!text_)
    return;
  for (const std::int32_t id : prompt)
    text_->push(id);
  of_prompt_ = text_->pending();
}

std::string request_logic::detokenise(std::int32_t token, bool ends) {
  std::string piece = text_->push(token);
  if (ends)
    piece += text_->finish();
  if (piece.starts_with(of_prompt_))
    piece.erase(0, of_prompt_.size());
  if (!piece.empty())
    of_prompt_.clear();
  return piece;
}

void request_logic::add_token(const runtime::sampled_token &t, bool ends,
                              generation_event &event) {
  ++generated_;
  generated_token token;
  token.id = t.token;
  token.logprob = t.logprob;
  if (text_) {
    token.special = model_->tokens->is_special(t.token);
    token.text = stops_.push(detokenise(t.token, ends));
    if (ends && !stops_.matched())
      token.text += stops_.finish();
  }
  event.tokens.push_back(std::move(token));
}

void request_logic::end(generation_event &event, finish_reason reason) {
  event.finish = reason;
  event.prompt_tokens = prompt_tokens_;
  event.generated_tokens = generated_;
  event.cached_tokens = cached_tokens_;
  if (!logits_.empty())
    event.logits =
        std::make_shared<const std::vector<float>>(std::move(logits_));
}

generation_event request_logic::progress(const sequence_progress &p,
                                         bool &stopped) {
  generation_event event;
  event.request = id_;
  logits_.insert(logits_.end(), p.logits.begin(), p.logits.end());
  cached_tokens_ = p.cached_tokens;
  const bool ends = p.finish != finish_reason::none;
  if (p.token)
    add_token(*p.token, ends, event);
  stopped = stops_.matched();
  if (stopped)
    end(event, finish_reason::stop_sequence);
  else if (ends)
    end(event, p.finish);
  return event;
}

generation_event request_logic::cancelled() {
  generation_event event;
  event.request = id_;
  if (text_ && generated_ > 0)
    event.text = stops_.push(text_->finish()) + stops_.finish();
  end(event, finish_reason::cancelled);
  return event;
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
  event.generated_tokens = generated_;
  return event;
}

} // namespace ganglion::actors

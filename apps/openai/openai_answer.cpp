#include "apps/openai/openai_answer.hpp"

#include "apps/openai/logprob_text.hpp"
#include "apps/openai/openai_error.hpp"
#include "apps/serving/event_stream.hpp"
#include "apps/serving/timing_text.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace ganglion::apps {

using runtime::finish_reason;
using runtime::generation_event;

void write_finish_reason(json::writer &out, finish_reason reason, bool called) {
  if (reason == finish_reason::none)
    out.null();
  else
    out.string(reason == finish_reason::length ? "length"
               : called                        ? "tool_calls"
                                               : "stop");
}

openai_answer::openai_answer(openai_call call, answer_names names)
    : call_(std::move(call)),
      names_(std::move(names)),
      sequences_(call_.prompts.size() * call_.tries()) {}

http_response openai_answer::head() const {
  http_response out;
  if (call_.stream)
    out.content_type = event_stream_type;
  return out;
}

std::string openai_answer::take(std::size_t sequence, generation_event event) {
  auto &state = sequences_[sequence];
  std::string chunks;
  if (event.tokens.empty() && !event.last())
    return chunks;
  if (state.piece.first && state.generated_tokens == 0)
    begin(sequence, event);
  for (auto &token : event.tokens)
    take_token(sequence, std::move(token), chunks);
  if (!event.last())
    return chunks;
  add_end(sequence, event.text, state.piece);
  if (!state.piece.text.empty() || !state.piece.calls.empty())
    flush(state, chunks);
  state.piece.finish = event.finish;
  state.prompt_tokens = event.prompt_tokens;
  state.cached_tokens = event.cached_tokens;
  state.generated_tokens = event.generated_tokens;
  state.timing = event.timing;
  flush(state, chunks);
  return chunks;
}

void openai_answer::begin(std::size_t sequence, generation_event &event) {
  auto &piece = sequences_[sequence].piece;
  piece = opening(sequence);
  piece.prompt = std::move(event.prompt);
}

void openai_answer::add_token(std::size_t,
                              const runtime::generated_token &token,
                              choice_piece &piece) {
  piece.text += token.text;
}

void openai_answer::add_end(std::size_t, std::string_view text,
                            choice_piece &piece) {
  piece.text += text;
}

/// Tokens that are no text, such as the end of it, are in no list.
void openai_answer::take_token(std::size_t sequence,
                               runtime::generated_token token,
                               std::string &chunks) {
  auto &state = sequences_[sequence];
  ++state.generated_tokens;
  state.logprobs += token.logprob;
  add_token(sequence, token, state.piece);
  const bool hidden =
      token.special &&
      (call_.tools.active() ? call_.tools.hides_special_tokens
                            : call_.request.skip_special_tokens);
  if (call_.wants_logprobs() && !hidden)
    state.piece.tokens.push_back(std::move(token));
  if (!state.piece.text.empty() || !state.piece.tokens.empty() ||
      !state.piece.calls.empty())
    flush(state, chunks);
}

/// Sends what has come of a choice; a whole answer keeps it.
void openai_answer::flush(sequence_state &state, std::string &chunks) {
  if (!call_.stream)
    return;
  chunks += chunk(state);
  choice_piece next;
  next.index = state.piece.index;
  next.first = false;
  next.called = state.piece.called;
  next.offset = state.piece.offset + characters_of(state.piece.text);
  state.piece = std::move(next);
}

std::string openai_answer::finish() {
  if (call_.stream)
    return (call_.include_usage ? usage_chunk() : "") + stream_event("[DONE]");
  json::writer out;
  open(out);
  out.key("choices").begin_array();
  for (const auto *piece : chosen())
    write_piece(out, *piece);
  out.end_array().key("usage");
  write_usage(out);
  if (call_.timings)
    write_timing(out);
  out.end_object();
  return out.text();
}

/// The choices of each prompt: all its sequences, or the likeliest of them by
/// the mean log-probability of a token.
std::vector<const choice_piece *> openai_answer::chosen() {
  const auto mean = [](const sequence_state &s) {
    return s.generated_tokens == 0
               ? 0
               : s.logprobs / static_cast<double>(s.generated_tokens);
  };
  const auto n = static_cast<std::size_t>(call_.n);
  std::vector<const choice_piece *> out;
  for (std::size_t begin = 0; begin < sequences_.size();
       begin += call_.tries()) {
    const std::span tries(sequences_.data() + begin, call_.tries());
    if (tries.size() > n)
      std::ranges::stable_sort(tries, std::greater<>(), mean);
    for (std::size_t i = 0; i < n; ++i) {
      tries[i].piece.index = out.size();
      out.push_back(&tries[i].piece);
    }
  }
  return out;
}

std::string openai_answer::chunk(const sequence_state &state) const {
  json::writer out;
  open(out);
  out.key("choices").begin_array();
  write_piece(out, state.piece);
  out.end_array();
  if (call_.include_usage)
    out.key("usage").null();
  if (call_.timings && state.piece.finish != finish_reason::none)
    write_timings(out, state.timing, state.generated_tokens);
  out.end_object();
  return stream_event(out.text());
}

std::string openai_answer::usage_chunk() const {
  json::writer out;
  open(out);
  out.key("choices").begin_array().end_array().key("usage");
  write_usage(out);
  out.end_object();
  return stream_event(out.text());
}

void openai_answer::open(json::writer &out) const {
  out.begin_object();
  out.key("id").string(names_.id);
  out.key("object").string(object_name());
  out.key("created").integer(names_.created);
  out.key("model").string(names_.model);
}

void openai_answer::write_piece(json::writer &out,
                                const choice_piece &piece) const {
  out.begin_object().key("index").integer(
      static_cast<std::int64_t>(piece.index));
  write_choice(out, piece);
  out.key("finish_reason");
  write_finish_reason(out, piece.finish, piece.called);
  out.end_object();
}

/// A prompt counts once, however many sequences continue it.
void openai_answer::write_usage(json::writer &out) const {
  std::int64_t prompt = 0, cached = 0, generated = 0;
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    const auto &sequence = sequences_[i];
    generated += sequence.generated_tokens;
    if (i % call_.tries() != 0)
      continue;
    prompt += sequence.prompt_tokens;
    cached += sequence.cached_tokens;
  }
  out.begin_object();
  out.key("prompt_tokens").integer(prompt);
  out.key("completion_tokens").integer(generated);
  out.key("total_tokens").integer(prompt + generated);
  out.key("prompt_tokens_details").begin_object();
  out.key("cached_tokens").integer(cached);
  out.end_object().end_object();
}

void openai_answer::write_timing(json::writer &out) const {
  runtime::request_timing timing;
  std::int64_t generated = 0;
  for (const auto &sequence : sequences_) {
    timing = longest(timing, sequence.timing);
    generated += sequence.generated_tokens;
  }
  write_timings(out, timing, generated);
}

http_response openai_answer::refusal(const request_failure &failure) const {
  return openai_refusal(failure, call_.route);
}

std::string openai_answer::broken_off(const request_failure &failure) const {
  return openai_error_event(failure, call_.route);
}

} // namespace ganglion::apps

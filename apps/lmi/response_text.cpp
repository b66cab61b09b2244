#include "apps/lmi/response_text.hpp"

#include "apps/serving/timing_text.hpp"

namespace ganglion::apps {

namespace {

void open_token(json::writer &out, std::int32_t id, const std::string &text,
                float logprob) {
  out.begin_object();
  out.key("id").integer(id);
  out.key("text").string(text);
  out.key("log_prob").raw(float_text(logprob));
}

void write_token(json::writer &out, const runtime::generated_token &token) {
  open_token(out, token.id, token.text, token.logprob);
  if (token.special)
    out.key("special_token").boolean(true);
  out.end_object();
}

void write_top(json::writer &out, const runtime::generated_token &token) {
  out.begin_array();
  for (const auto &other : token.top) {
    open_token(out, other.id, other.text, other.logprob);
    out.end_object();
  }
  out.end_array();
}

bool wants_top(const invocation &call) {
  return call.request.top_logprobs.value_or(0) > 0;
}

/// The prompt's tokens; the first has no log-probability.
void write_prefill(json::writer &out, const invocation &call,
                   const generation_result &result) {
  out.key("prefill").begin_array();
  for (const auto &token : result.prompt) {
    open_token(out, token.id, token.text, token.logprob);
    if (token.special)
      out.key("special_token").boolean(true);
    if (*call.request.prompt_logprobs > 0) {
      out.key("top_tokens");
      write_top(out, token);
    }
    out.end_object();
  }
  out.end_array();
}

/// The members of a streamed token.
void write_streamed(json::writer &out, const invocation &call,
                    const runtime::generated_token &token) {
  out.key("token");
  write_token(out, token);
  if (wants_top(call)) {
    out.key("top_tokens");
    write_top(out, token);
  }
}

void write_text(json::writer &out, const invocation &call,
                const generation_result &result) {
  out.key("generated_text")
      .string(call.return_full_text ? call.request.prompt + result.text
                                    : result.text);
}

void write_tokens(json::writer &out, const generation_result &result) {
  out.key("tokens").begin_array();
  for (const auto &token : result.tokens)
    write_token(out, token);
  out.end_array();
}

void write_tops(json::writer &out, const generation_result &result) {
  out.key("top_tokens").begin_array();
  for (const auto &token : result.tokens)
    write_top(out, token);
  out.end_array();
}

void write_speculation(json::writer &out, const generation_result &result) {
  if (result.guesses.judged == 0)
    return;
  out.key("speculation").begin_object();
  out.key("guesses").integer(result.guesses.judged);
  out.key("held").integer(result.guesses.held);
  out.end_object();
}

/// The texts after the best one.
void write_others(json::writer &out, const invocation &call,
                  std::span<const generation_result> others) {
  out.key("best_of_sequences").begin_array();
  for (const auto &other : others) {
    out.begin_object();
    write_text(out, call, other);
    out.key("finish_reason").string(runtime::to_string(other.finish));
    out.key("generated_tokens").integer(other.generated_tokens);
    write_tokens(out, other);
    if (wants_top(call))
      write_tops(out, other);
    out.end_object();
  }
  out.end_array();
}

/// Of the first; lines of a stream have its tokens already.
void write_details(json::writer &out, const invocation &call,
                   std::span<const generation_result> results,
                   bool with_tokens) {
  const generation_result &result = results[0];
  out.key("details").begin_object();
  out.key("finish_reason").string(runtime::to_string(result.finish));
  out.key("generated_tokens").integer(result.generated_tokens);
  out.key("inputs").string(call.request.prompt);
  if (with_tokens)
    write_tokens(out, result);
  if (call.request.prompt_logprobs)
    write_prefill(out, call, result);
  write_speculation(out, result);
  if (with_tokens && wants_top(call))
    write_tops(out, result);
  if (results.size() > 1)
    write_others(out, call, results.subspan(1));
  out.end_object();
}

} // namespace

std::string whole_answer(const invocation &call,
                         std::span<const generation_result> results) {
  json::writer out;
  out.begin_object();
  write_text(out, call, results[0]);
  if (call.details)
    write_details(out, call, results, true);
  if (call.timings)
    write_timings(out, results[0].timing, results[0].generated_tokens);
  out.end_object();
  return out.text();
}

std::string token_line(const invocation &call,
                       const runtime::generated_token &token) {
  json::writer out;
  out.begin_object();
  write_streamed(out, call, token);
  out.end_object();
  return out.text() + "\n";
}

std::string last_line(const invocation &call, const generation_result &result,
                      const runtime::generated_token *token) {
  json::writer out;
  out.begin_object();
  if (token != nullptr)
    write_streamed(out, call, *token);
  write_text(out, call, result);
  if (call.details)
    write_details(out, call, std::span(&result, 1), false);
  if (call.timings)
    write_timings(out, result.timing, result.generated_tokens);
  out.end_object();
  return out.text() + "\n";
}

} // namespace ganglion::apps

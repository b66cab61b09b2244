#include "apps/tgi/tgi_text.hpp"

#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

template <class Token>
void open_token(json::writer &out, const Token &token) {
  out.begin_object();
  out.key("id").integer(token.id);
  out.key("text").string(token.text);
  out.key("logprob").raw(float_text(token.logprob));
}

void write_token(json::writer &out, const runtime::generated_token &token) {
  open_token(out, token);
  out.key("special").boolean(token.special);
  out.end_object();
}

void write_top(json::writer &out, const runtime::generated_token &token) {
  out.begin_array();
  for (const auto &other : token.top) {
    open_token(out, other);
    out.key("special").boolean(false);
    out.end_object();
  }
  out.end_array();
}

bool wants_top(const tgi_call &call) {
  return call.request.top_logprobs.value_or(0) > 0;
}

/// The members of a streamed token.
void write_streamed(json::writer &out, const tgi_call &call,
                    const runtime::generated_token &token) {
  out.key("token");
  write_token(out, token);
  if (wants_top(call)) {
    out.key("top_tokens");
    write_top(out, token);
  }
}

void write_text(json::writer &out, const tgi_call &call,
                const generation_result &result) {
  out.key("generated_text")
      .string(call.return_full_text ? call.request.prompt + result.text
                                    : result.text);
}

void write_ending(json::writer &out, const tgi_call &call,
                  const generation_result &result, std::size_t sequence) {
  out.key("finish_reason").string(runtime::to_string(result.finish));
  out.key("generated_tokens").integer(result.generated_tokens);
  out.key("seed");
  if (call.request.seed)
    out.raw(std::to_string(*call.request.seed + sequence));
  else
    out.null();
}

void write_tokens(json::writer &out, const tgi_call &call,
                  const generation_result &result) {
  out.key("prefill").begin_array();
  for (const auto &token : result.prompt) {
    open_token(out, token);
    out.end_object();
  }
  out.end_array();
  out.key("tokens").begin_array();
  for (const auto &token : result.tokens)
    write_token(out, token);
  out.end_array();
  if (!wants_top(call))
    return;
  out.key("top_tokens").begin_array();
  for (const auto &token : result.tokens)
    write_top(out, token);
  out.end_array();
}

void write_details(json::writer &out, const tgi_call &call,
                   std::span<const generation_result> results) {
  out.key("details").begin_object();
  write_ending(out, call, results[0], results[0].sequence);
  write_tokens(out, call, results[0]);
  if (results.size() > 1) {
    out.key("best_of_sequences").begin_array();
    for (const auto &other : results.subspan(1)) {
      out.begin_object();
      write_text(out, call, other);
      write_ending(out, call, other, other.sequence);
      write_tokens(out, call, other);
      out.end_object();
    }
    out.end_array();
  }
  out.end_object();
}

} // namespace

std::string tgi_answer_text(const tgi_call &call,
                            std::span<const generation_result> results) {
  json::writer out;
  out.begin_object();
  write_text(out, call, results[0]);
  if (call.details)
    write_details(out, call, results);
  out.end_object();
  return out.text();
}

std::string tgi_token_text(const tgi_call &call, std::int64_t index,
                           const runtime::generated_token &token) {
  json::writer out;
  out.begin_object();
  out.key("index").integer(index);
  write_streamed(out, call, token);
  out.key("generated_text").null();
  out.key("details").null();
  out.end_object();
  return out.text();
}

std::string tgi_last_text(const tgi_call &call, const generation_result &result,
                          const runtime::generated_token *token) {
  json::writer out;
  out.begin_object();
  out.key("index").integer(result.generated_tokens);
  if (token != nullptr)
    write_streamed(out, call, *token);
  write_text(out, call, result);
  out.key("details");
  if (call.details) {
    out.begin_object();
    write_ending(out, call, result, 0);
    out.key("input_length").integer(result.prompt_tokens);
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
  return out.text();
}

} // namespace ganglion::apps

#include "apps/cli/generate_output.hpp"

#include "apps/serving/generation_result.hpp"
#include "runtime/json/writer.hpp"

#include <algorithm>
#include <cstdio>

namespace ganglion::apps {

namespace {

double rate(double count, double seconds) {
  return seconds > 0 ? count / seconds : 0;
}

double seconds_between(time_point begin, time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

void write_alternatives(json::writer &out,
                        const std::vector<runtime::token_alternative> &top) {
  out.begin_array();
  for (const auto &t : top) {
    out.begin_object().key("id").integer(t.id);
    out.key("text").string(t.text);
    out.key("logprob").raw(float_text(t.logprob)).end_object();
  }
  out.end_array();
}

void write_prompt(json::writer &out,
                  const std::vector<runtime::generated_token> &prompt) {
  out.begin_array();
  for (const auto &token : prompt) {
    out.begin_object().key("id").integer(token.id);
    out.key("text").string(token.text);
    out.key("logprob").raw(float_text(token.logprob));
    out.key("top_logprobs");
    write_alternatives(out, token.top);
    out.end_object();
  }
  out.end_array();
}

bool any_of(const std::vector<std::vector<runtime::token_alternative>> &top) {
  return std::ranges::any_of(top, [](const auto &t) { return !t.empty(); });
}

} // namespace

std::string generation_record::add(const runtime::generation_event &event,
                                   time_point arrived) {
  std::string text;
  for (const auto &token : event.tokens) {
    if (ids_.empty())
      first_ = arrived;
    last_ = arrived;
    ids_.push_back(token.id);
    logprobs_.push_back(token.logprob);
    top_.push_back(token.top);
    text += token.text;
  }
  if (!event.prompt.empty())
    prompt_ = event.prompt;
  text += event.text;
  text_ += text;
  finish_ = event.finish;
  guesses_ = event.guesses;
  if (event.last())
    prompt_tokens_ = event.prompt_tokens;
  return text;
}

double generation_record::first_token_seconds() const {
  return ids_.empty() ? 0 : seconds_between(submitted_, first_);
}

double generation_record::decode_seconds() const {
  return ids_.empty() ? 0 : seconds_between(first_, last_);
}

double generation_record::prefill_rate() const {
  return rate(static_cast<double>(prompt_tokens_), first_token_seconds());
}

/// The first token came with the prompt.
double generation_record::decode_rate() const {
  return ids_.empty()
             ? 0
             : rate(static_cast<double>(ids_.size() - 1), decode_seconds());
}

std::string
generation_record::json(const std::vector<std::int32_t> &prompt_ids) const {
  json::writer out;
  out.begin_object().key("prompt_ids").begin_array();
  for (const auto id : prompt_ids)
    out.integer(id);
  out.end_array().key("ids").begin_array();
  for (const auto id : ids_)
    out.integer(id);
  out.end_array().key("logprobs").begin_array();
  for (const float logprob : logprobs_)
    out.raw(float_text(logprob));
  out.end_array();
  if (any_of(top_)) {
    out.key("top_logprobs").begin_array();
    for (const auto &top : top_)
      write_alternatives(out, top);
    out.end_array();
  }
  if (!prompt_.empty()) {
    out.key("prompt");
    write_prompt(out, prompt_);
  }
  out.key("text").string(text_);
  out.key("finish_reason").string(runtime::to_string(finish_));
  if (guesses_.judged > 0) {
    out.key("guesses").begin_object();
    out.key("judged").integer(guesses_.judged);
    out.key("held").integer(guesses_.held);
    out.end_object();
  }
  out.key("timing").begin_object();
  out.key("time_to_first_token").real(first_token_seconds());
  out.key("decode").real(decode_seconds());
  out.key("prefill_tokens_per_second").real(prefill_rate());
  out.key("decode_tokens_per_second").real(decode_rate());
  out.end_object().end_object();
  return out.text() + "\n";
}

/// ", 40 of 52 guesses held", if there were any.
std::string generation_record::guesses_text() const {
  return guesses_.judged == 0
             ? ""
             : ", " + std::to_string(guesses_.held) + " of " +
                   std::to_string(guesses_.judged) + " guesses held";
}

std::string generation_record::summary() const {
  char line[256];
  std::snprintf(line, sizeof line,
                "%lld prompt tokens, %zu new tokens (%s), first token after "
                "%.1f ms, prefill %.0f tokens/s, decode %.0f tokens/s%s\n",
                static_cast<long long>(prompt_tokens_), ids_.size(),
                runtime::to_string(finish_).data(), first_token_seconds() * 1e3,
                prefill_rate(), decode_rate(), guesses_text().c_str());
  return line;
}

} // namespace ganglion::apps

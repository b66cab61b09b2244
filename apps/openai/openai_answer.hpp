// What the answers of both OpenAI routes have in common: choices, usage, and
// the order of a stream's events.
#pragma once

#include "apps/openai/call_text.hpp"
#include "apps/openai/openai_call.hpp"
#include "apps/serving/generation_answer.hpp"
#include "runtime/json/writer.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

/// Some or all of a choice.
struct choice_piece {
  std::size_t index = 0;
  bool first = true; ///< nothing of the choice came before
  std::string text;
  std::vector<call_piece> calls;
  bool called = false;    ///< there is a call in the choice
  std::size_t offset = 0; ///< characters of the choice before `text`
  /// Those of the text, kept where a call wants log-probabilities, and those
  /// of the prompt where it is echoed as well.
  std::vector<runtime::generated_token> tokens, prompt;
  runtime::finish_reason finish = runtime::finish_reason::none;
};

/// Names of an answer, the same in all chunks.
struct answer_names {
  std::string id, model;
  std::int64_t created = 0; ///< seconds since 1970
};

/// OpenAI's words: "stop", "tool_calls" where the choice has any, "length" or
/// null.
void write_finish_reason(json::writer &out, runtime::finish_reason reason,
                         bool called);

class openai_answer : public generation_answer {
public:
  openai_answer(openai_call call, answer_names names);

  http_response head() const override;
  bool streams() const override { return call_.stream; }
  std::string take(std::size_t sequence,
                   runtime::generation_event event) override;
  std::string finish() override;
  http_response refusal(const request_failure &failure) const override;
  std::string broken_off(const request_failure &failure) const override;

protected:
  const openai_call &call() const { return call_; }

  /// "object" of a whole answer or a chunk.
  virtual std::string_view object_name() const = 0;
  /// The members of a choice but "index" and "finish_reason".
  virtual void write_choice(json::writer &out,
                            const choice_piece &piece) const = 0;
  /// The choice of a sequence before anything was generated.
  virtual choice_piece opening(std::size_t sequence) const = 0;
  /// Adds a token's text to what is sent of a sequence next.
  virtual void add_token(std::size_t sequence,
                         const runtime::generated_token &token,
                         choice_piece &piece);
  /// Adds the last of a sequence's text.
  virtual void add_end(std::size_t sequence, std::string_view text,
                       choice_piece &piece);

private:
  struct sequence_state {
    choice_piece piece;
    double logprobs = 0;
    std::int64_t prompt_tokens = 0, cached_tokens = 0, generated_tokens = 0;
    runtime::request_timing timing;
  };

  void begin(std::size_t sequence, runtime::generation_event &event);
  void take_token(std::size_t sequence, runtime::generated_token token,
                  std::string &chunks);
  void flush(sequence_state &state, std::string &chunks);
  std::string chunk(const sequence_state &state) const;
  std::string usage_chunk() const;
  void open(json::writer &out) const;
  void write_piece(json::writer &out, const choice_piece &piece) const;
  void write_usage(json::writer &out) const;
  void write_timing(json::writer &out) const;
  std::vector<const choice_piece *> chosen();

  openai_call call_;
  answer_names names_;
  std::vector<sequence_state> sequences_;
};

} // namespace ganglion::apps

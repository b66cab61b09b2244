// An answer whose stream has a piece for each token, the last of which also
// tells the end: the form that LMI and TGI share.
#pragma once

#include "apps/serving/generation_answer.hpp"
#include "apps/serving/generation_result.hpp"

#include <span>
#include <vector>

namespace ganglion::apps {

/// What of an answer is asked for.
struct token_answer_form {
  bool stream = false;      ///< of one sequence
  bool keep_tokens = false; ///< whole answers list them
  std::size_t sequences = 1;
};

class token_answer : public generation_answer {
public:
  explicit token_answer(token_answer_form form);

  bool streams() const override { return form_.stream; }
  std::string take(std::size_t sequence,
                   runtime::generation_event event) override;
  std::string finish() override;

protected:
  std::span<const generation_result> results() const { return results_; }
  /// A token of a stream; `result` counts it.
  virtual std::string piece(const generation_result &result,
                            const runtime::generated_token &token) const = 0;
  /// The end of a stream; `token` is null if no token came with it.
  virtual std::string
  last_piece(const generation_result &result,
             const runtime::generated_token *token) const = 0;
  /// All sequences, the one with the likeliest tokens first.
  virtual std::string
  whole(std::span<const generation_result> results) const = 0;

private:
  void note(generation_result &result, const runtime::generated_token &token);
  std::string take_stream(generation_result &result,
                          const runtime::generation_event &event);

  token_answer_form form_;
  std::vector<generation_result> results_;
};

} // namespace ganglion::apps

// One choice of a request: its tokens as text, up to a stop string.
#pragma once

#include "runtime/generation/generation_event.hpp"
#include "runtime/generation/generation_request.hpp"
#include "runtime/generation/stop_matcher.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/tokenizer/detokenizer.hpp"

#include <optional>

namespace ganglion::actors {

/// Belongs to one request actor.
class choice_text {
public:
  /// Lets the detokeniser see the prompt: what a continuation's first token
  /// reads as depends on what it follows.
  choice_text(const runtime::loaded_model &model,
              const runtime::generation_request &request,
              const std::vector<std::int32_t> &prompt);

  /// Counts a token and returns the text that became final with it; with
  /// `ends`, everything that is left.
  std::string add(std::int32_t token, bool ends);
  /// What is still held back of a choice that somebody else ended.
  std::string rest();
  /// A stop string came up.
  bool stopped() const { return stops_.matched(); }

  std::int64_t tokens() const { return tokens_; }
  bool ended = false;

private:
  std::string detokenise(std::int32_t token, bool ends);

  std::optional<runtime::detokenizer> text_;
  /// Text of the prompt that the detokeniser has still to give back.
  std::string of_prompt_;
  runtime::stop_matcher stops_;
  std::int64_t tokens_ = 0, min_new_tokens_ = 0;
};

} // namespace ganglion::actors

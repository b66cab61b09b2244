// The steps from tokens to text, each of which takes tokens in parts and
// passes on what can no longer change, so that text streams.
#pragma once

#include "runtime/tokenizer/split_pattern.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace ganglion::runtime {

class decoder;

/// Where a stage sends what it made: the stage after it, or the text.
class decoder_sink {
public:
  decoder_sink(decoder &owner, std::size_t stage)
      : owner_(owner),
        stage_(stage) {}
  /// Part of a token (whole characters); `starts` with the token's first.
  void operator()(std::string_view part, bool starts) const;

private:
  decoder &owner_;
  std::size_t stage_;
};

// All stages are plain values: copying one copies where it is in the text.
// `push` takes a part of a token, `finish` is called once at the end.

/// Puts a space between tokens: what happens when there is no decoder.
struct join_stage {
  bool any = false;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink) {}
};

/// Puts the parts of a token together, for a stage that must see it whole.
struct assemble_stage {
  std::string held;
  bool any = false;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink next);
};

/// Makes all tokens parts of one.
struct fuse_stage {
  bool any = false;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink) {}
};

/// From GPT-2's byte alphabet to one token of text. Needs whole tokens; holds
/// back an unfinished character.
struct byte_level_stage {
  std::string bytes;
  bool any = false;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink next);
  void emit(bool keep_tail, decoder_sink next);
};

/// Replaces each run of "<0x..>" tokens by the text that its bytes are, or,
/// if they are no text, by one U+FFFD per byte. Needs whole tokens; holds back
/// a run, because its last byte decides about the first.
struct byte_fallback_stage {
  std::string run;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink next);
};

/// Turns the mark of a space back; the first token loses it.
struct metaspace_stage {
  std::string mark;
  bool drop_first = true;
  std::int64_t tokens = 0;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink) {}
};

/// Takes up to `start` times `content` off the front of each token, and up to
/// `stop` times off its end; holds back what may be the end.
struct strip_stage {
  std::string content; ///< one character
  std::int64_t start = 0, stop = 0;
  std::int64_t left = 0; ///< how many may still go at the front
  std::int64_t held = 0; ///< how many wait for the end of the token
  bool starts_next = true;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink) {}
};

/// Replaces a pattern in each token. Needs whole tokens unless the pattern is
/// one character.
struct replace_stage {
  std::shared_ptr<const split_pattern> pattern;
  std::string content;
  void push(std::string_view part, bool starts, decoder_sink next);
  void finish(decoder_sink) {}
};

using decoder_stage = std::variant<join_stage, assemble_stage, fuse_stage,
                                   byte_level_stage, byte_fallback_stage,
                                   metaspace_stage, strip_stage, replace_stage>;

} // namespace ganglion::runtime

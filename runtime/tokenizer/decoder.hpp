// A decoder: the chain of stages that turns tokens into text, and where it is
// in one text.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/decoder_stages.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// A value: a fresh one is copied for each text, and a copy made on the way
/// can be finished to see what is held back. Not for two threads at once.
class decoder {
public:
  /// The chain of `stages` in order.
  explicit decoder(std::vector<decoder_stage> stages)
      : stages_(std::move(stages)) {}

  /// Adds the next token.
  void push(std::string_view token) { pass(0, token, true); }
  /// Ends the text: what was held back becomes final.
  void finish();
  /// The bytes that `token` stands for: its own, unless a stage makes other
  /// bytes of it.
  std::string bytes_of(std::string_view token) const;
  /// The text that became final since the last call; whole characters.
  std::string take();

private:
  friend class decoder_sink;
  void pass(std::size_t stage, std::string_view part, bool starts);

  std::vector<decoder_stage> stages_;
  std::string text_;
};

/// Reads the "decoder" of a tokenizer.json. Throws `unsupported` naming the
/// type and path of one that is not implemented.
decoder read_decoder(const json::value &component);
/// For a tokenizer without a decoder: tokens with spaces between them.
decoder make_joining_decoder();
/// GPT-2's byte alphabet.
decoder make_byte_level_decoder();
/// "▁" to spaces and bytes to text, without the space at the start if
/// `strip_first`.
decoder make_sentencepiece_decoder(bool strip_first);

} // namespace ganglion::runtime

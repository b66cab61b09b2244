// Incremental detokenisation: text as the ids come in, never half a character.
#pragma once

#include "runtime/tokenizer/tokenizer.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace ganglion::runtime {

class decoder;

/// One text being written. All that `push` and `finish` return, put together,
/// is what `tokenizer::decode` makes of the ids. Constant work per id,
/// amortised. Not for two threads at once.
class detokenizer {
public:
  detokenizer(std::shared_ptr<const tokenizer> tokens,
              bool skip_special_tokens);
  ~detokenizer();
  detokenizer(detokenizer &&) noexcept;
  detokenizer &operator=(detokenizer &&) noexcept;

  /// Adds `id` and returns the text that became final. An id without a token
  /// adds nothing. Byte tokens ("<0x0A>") of a SentencePiece model are held
  /// back until a token of another kind follows: the last byte of such a run
  /// decides whether the first is text.
  std::string push(std::int32_t id);
  /// What `finish` would return now.
  std::string pending() const;
  /// Ends the text and returns the rest of it; call once.
  std::string finish();

private:
  std::shared_ptr<const tokenizer> tokens_;
  std::unique_ptr<decoder> decoding_;
  bool skip_special_tokens_;
};

} // namespace ganglion::runtime

// SentencePiece's compiled normalisation table: a double-array trie from
// character sequences to their replacements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// Immutable; may be used by any number of threads.
class precompiled_charsmap {
public:
  /// Reads the "precompiled_charsmap" of a tokenizer.json. Throws
  /// `corrupt_data` naming `where` and `field` when it is not one.
  static precompiled_charsmap from_base64(std::string_view text,
                                          const std::string &where,
                                          const std::string &field);

  /// `text` (UTF-8) normalised: short grapheme clusters as a whole if the
  /// table knows them, else character by character.
  std::string apply(std::string_view text) const;

private:
  std::optional<std::string_view> find(std::string_view part) const;

  std::vector<std::uint32_t> trie_;
  std::string replacements_; // each ends with a NUL
};

} // namespace ganglion::runtime

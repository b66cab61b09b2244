// UTF-8 as tokenizers need it: reading and writing code points, and replacing
// what is not UTF-8 the way every lossy decoder of HuggingFace does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// What stands for bytes that are not UTF-8: U+FFFD.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// One step of reading: `length` bytes that are either the code point `value`
/// or, if not `valid`, the longest prefix of a character that ends too early
/// (at least one byte).
struct utf8_step {
  char32_t value = 0;
  std::size_t length = 0;
  bool valid = false;
  bool truncated = false; ///< not valid only because the text ends
};

/// Reads at the front of `text`, which must not be empty.
utf8_step next_code_point(std::string_view text);

/// The length in bytes of the character that starts with `lead`, in text that
/// is known to be UTF-8.
inline std::size_t utf8_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

void append_utf8(std::string &out, char32_t value);
std::string to_utf8(char32_t value);
bool is_utf8(std::string_view text);

/// Appends `text` to `out` with each maximal broken part as one U+FFFD. With
/// `keep_tail`, a character that `text` merely ends too early for is left:
/// returns how many bytes were read.
std::size_t append_lossy(std::string &out, std::string_view text,
                         bool keep_tail);

} // namespace ganglion::runtime

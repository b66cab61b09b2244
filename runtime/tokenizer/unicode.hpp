// The one place that knows ICU: normal forms and properties of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

enum class normal_form { nfc, nfd, nfkc, nfkd };

/// Brings `text` (UTF-8) into `form`; text that is all ASCII is only looked
/// at.
void normalize(std::string &text, normal_form form);

/// Properties by general category or White_Space.
bool is_space(char32_t value);
bool is_numeric(char32_t value);
bool is_punctuation(char32_t value); ///< or an ASCII symbol
bool is_mark(char32_t value);
bool is_word_character(char32_t value); ///< what \w matches

/// Appends the lower or upper case of one character, without regard to its
/// context.
void append_lower(std::string &out, char32_t value);
void append_upper(std::string &out, char32_t value);
bool is_letter(char32_t value);
bool is_decimal(char32_t value);
bool is_cased(char32_t value);
bool is_upper(char32_t value);
bool is_lower(char32_t value);
/// Whether it shows as itself: no control, format, separator (but the space)
/// or unassigned character.
bool is_printable(char32_t value);

/// Where each grapheme cluster of `text` (UTF-8) ends, in bytes.
std::vector<std::size_t> grapheme_ends(std::string_view text);

} // namespace ganglion::runtime

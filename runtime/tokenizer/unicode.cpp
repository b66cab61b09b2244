#include "runtime/tokenizer/unicode.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

namespace ganglion::runtime {

namespace {

const icu::Normalizer2 &instance(normal_form form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2 *found = nullptr;
  switch (form) {
  case normal_form::nfc:
    found = icu::Normalizer2::getNFCInstance(status);
    break;
  case normal_form::nfd:
    found = icu::Normalizer2::getNFDInstance(status);
    break;
  case normal_form::nfkc:
    found = icu::Normalizer2::getNFKCInstance(status);
    break;
  case normal_form::nfkd:
    found = icu::Normalizer2::getNFKDInstance(status);
    break;
  }
  if (U_FAILURE(status))
    throw error(error_code::unavailable,
                std::string("ICU has no data: ") + u_errorName(status));
  return *found;
}

UChar32 icu_char(char32_t value) { return static_cast<UChar32>(value); }

bool in_category(char32_t value, std::uint32_t mask) {
  return (U_GET_GC_MASK(icu_char(value)) & mask) != 0;
}

} // namespace

void normalize(std::string &text, normal_form form) {
  // ASCII is in every normal form.
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return static_cast<signed char>(c) >= 0; }))
    return;
  UErrorCode status = U_ZERO_ERROR;
  const auto &normalizer = instance(form);
  if (normalizer.isNormalizedUTF8(text, status) && U_SUCCESS(status))
    return;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  normalizer.normalizeUTF8(0, text, sink, nullptr, status);
  require(U_SUCCESS(status), "ICU cannot normalise a text");
  text = std::move(out);
}

bool is_space(char32_t value) {
  return u_hasBinaryProperty(icu_char(value), UCHAR_WHITE_SPACE);
}

bool is_numeric(char32_t value) { return in_category(value, U_GC_N_MASK); }

bool is_punctuation(char32_t value) {
  if (value < 0x80)
    return value > ' ' && value < 0x7F && !u_isalnum(icu_char(value));
  return in_category(value, U_GC_P_MASK);
}

bool is_mark(char32_t value) { return in_category(value, U_GC_M_MASK); }

bool is_word_character(char32_t value) {
  return u_hasBinaryProperty(icu_char(value), UCHAR_ALPHABETIC) ||
         u_hasBinaryProperty(icu_char(value), UCHAR_JOIN_CONTROL) ||
         in_category(value, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

void append_lower(std::string &out, char32_t value) {
  // The only character whose lower case is more than one.
  if (value == 0x130) {
    out += "i\xCC\x87";
    return;
  }
  append_utf8(out, static_cast<char32_t>(u_tolower(icu_char(value))));
}

void append_upper(std::string &out, char32_t value) {
  UErrorCode status = U_ZERO_ERROR;
  UChar32 c = icu_char(value);
  UChar from[U16_MAX_LENGTH], to[8]; // no character has more than three
  std::int32_t length = 0;
  U16_APPEND_UNSAFE(from, length, c);
  const auto count = u_strToUpper(to, 8, from, length, "", &status);
  for (std::int32_t i = 0; i < count && U_SUCCESS(status);) {
    U16_NEXT(to, i, count, c);
    append_utf8(out, static_cast<char32_t>(c));
  }
}

bool is_letter(char32_t value) { return in_category(value, U_GC_L_MASK); }

bool is_decimal(char32_t value) { return in_category(value, U_GC_ND_MASK); }

bool is_cased(char32_t value) {
  return u_hasBinaryProperty(icu_char(value), UCHAR_CASED);
}

bool is_upper(char32_t value) {
  return u_hasBinaryProperty(icu_char(value), UCHAR_UPPERCASE);
}

bool is_lower(char32_t value) {
  return u_hasBinaryProperty(icu_char(value), UCHAR_LOWERCASE);
}

bool is_printable(char32_t value) {
  return value == U' ' || !in_category(value, U_GC_C_MASK | U_GC_Z_MASK);
}

std::vector<std::size_t> grapheme_ends(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, UText *(*)(UText *)> source(
      utext_openUTF8(nullptr, text.data(),
                     static_cast<std::int64_t>(text.size()), &status),
      utext_close);
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(),
                                                  status));
  if (U_SUCCESS(status))
    breaks->setText(source.get(), status);
  if (U_FAILURE(status))
    throw error(error_code::unavailable,
                std::string("ICU cannot find graphemes: ") +
                    u_errorName(status));
  std::vector<std::size_t> out;
  for (auto at = breaks->next(); at != icu::BreakIterator::DONE;
       at = breaks->next())
    out.push_back(static_cast<std::size_t>(at));
  return out;
}

} // namespace ganglion::runtime

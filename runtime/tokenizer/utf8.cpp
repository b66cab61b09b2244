#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

namespace {

struct lead_info {
  std::size_t length;      // 0: never starts a character
  unsigned char low, high; // the range of the second byte
};

// The second byte is what excludes overlong forms, surrogates and values
// above U+10FFFF.
lead_info classify(unsigned char lead) {
  if (lead < 0x80)
    return {1, 0, 0};
  if (lead < 0xC2 || lead > 0xF4)
    return {0, 0, 0};
  if (lead < 0xE0)
    return {2, 0x80, 0xBF};
  if (lead < 0xF0)
    return {3, static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF)};
  return {4, static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
          static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF)};
}

} // namespace

utf8_step next_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const auto info = classify(lead);
  if (info.length == 1)
    return {lead, 1, true, false};
  if (info.length == 0)
    return {0, 1, false, false};
  char32_t value = lead & (0xFFu >> (info.length + 1));
  for (std::size_t i = 1; i < info.length; ++i) {
    if (i == text.size())
      return {0, i, false, true};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char low = i == 1 ? info.low : 0x80;
    const unsigned char high = i == 1 ? info.high : 0xBF;
    if (byte < low || byte > high)
      return {0, i, false, false};
    value = value << 6 | (byte & 0x3Fu);
  }
  return {value, info.length, true, false};
}

void append_utf8(std::string &out, char32_t value) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (value < 0x80)
    return put(value);
  if (value < 0x800) {
    put(0xC0 | value >> 6);
  } else {
    if (value < 0x10000) {
      put(0xE0 | value >> 12);
    } else {
      put(0xF0 | value >> 18);
      put(0x80 | (value >> 12 & 0x3F));
    }
    put(0x80 | (value >> 6 & 0x3F));
  }
  put(0x80 | (value & 0x3F));
}

std::string to_utf8(char32_t value) {
  std::string out;
  append_utf8(out, value);
  return out;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const auto step = next_code_point(text.substr(i));
    if (!step.valid)
      return false;
    i += step.length;
  }
  return true;
}

std::size_t append_lossy(std::string &out, std::string_view text,
                         bool keep_tail) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto step = next_code_point(text.substr(i));
    if (step.truncated && keep_tail)
      break;
    if (step.valid)
      out += text.substr(i, step.length);
    else
      out += replacement_character;
    i += step.length;
  }
  return i;
}

} // namespace ganglion::runtime

#include "runtime/tokenizer/byte_level.hpp"

#include "runtime/tokenizer/utf8.hpp"

#include <array>

namespace ganglion::runtime {

namespace {

// Printable Latin-1 characters stand for themselves; the others are numbered
// from U+0100 in order, so the highest is U+0143.
constexpr std::size_t alphabet_end = 0x144;

struct alphabet {
  std::array<char32_t, 256> character{};
  std::array<int, alphabet_end> byte{};

  constexpr alphabet() {
    byte.fill(-1);
    char32_t next = 0x100;
    for (int b = 0; b < 256; ++b) {
      const bool printable =
          (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
      character[b] = printable ? static_cast<char32_t>(b) : next++;
      byte[character[b]] = b;
    }
  }
};

constexpr alphabet letters;

} // namespace

std::string bytes_to_characters(std::string_view text) {
  std::string out;
  out.reserve(text.size() * 2);
  for (const char c : text)
    append_utf8(out, letters.character[static_cast<unsigned char>(c)]);
  return out;
}

void append_token_bytes(std::string &out, std::string_view token) {
  const auto before = out.size();
  for (std::size_t i = 0; i < token.size();) {
    const auto step = next_code_point(token.substr(i));
    if (!step.valid || step.value >= alphabet_end ||
        letters.byte[step.value] < 0) {
      out.resize(before);
      out += token;
      return;
    }
    out += static_cast<char>(letters.byte[step.value]);
    i += step.length;
  }
}

} // namespace ganglion::runtime

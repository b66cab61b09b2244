#include "runtime/grammar/utf8_ranges.hpp"

#include <algorithm>
#include <array>

namespace ganglion::runtime::grammar {

namespace {

/// The last code point of each length, one byte to four.
constexpr std::array<char32_t, 4> longest{0x7F, 0x7FF, 0xFFFF, 0x10FFFF};

std::array<std::uint8_t, 4> encoded(char32_t c, int length) {
  constexpr std::array<std::uint8_t, 4> marks{0x00, 0xC0, 0xE0, 0xF0};
  std::array<std::uint8_t, 4> out{};
  for (int i = length - 1; i > 0; --i, c >>= 6)
    out[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(0x80 | (c & 0x3F));
  out[0] = static_cast<std::uint8_t>(
      marks[static_cast<std::size_t>(length) - 1] | c);
  return out;
}

class splitter {
public:
  explicit splitter(std::vector<std::vector<byte_range>> &out) : out_(out) {}

  /// A range of characters of one length. Where the low bits do not span all
  /// values, the range is cut until its bytes vary on their own.
  void add(char32_t first, char32_t last, int length) {
    for (int tail = 1; tail < length; ++tail) {
      const char32_t low = (char32_t{1} << (6 * tail)) - 1;
      if ((first & ~low) == (last & ~low))
        continue;
      if ((first & low) != 0) {
        add(first, first | low, length);
        return add((first | low) + 1, last, length);
      }
      if ((last & low) != low) {
        add(first, (last & ~low) - 1, length);
        return add(last & ~low, last, length);
      }
    }
    const auto from = encoded(first, length), to = encoded(last, length);
    auto &sequence = out_.emplace_back();
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i)
      sequence.push_back({from[i], to[i]});
  }

private:
  std::vector<std::vector<byte_range>> &out_;
};

} // namespace

std::vector<std::vector<byte_range>> utf8_ranges(const code_points &set) {
  std::vector<std::vector<byte_range>> out;
  splitter split(out);
  for (const auto &r : set.ranges()) {
    char32_t first = r.first;
    for (int length = 1; length <= 4 && first <= r.last; ++length) {
      const char32_t end = longest[static_cast<std::size_t>(length) - 1];
      if (first > end)
        continue;
      split.add(first, std::min(r.last, end), length);
      first = end + 1;
    }
  }
  return out;
}

} // namespace ganglion::runtime::grammar

// Reads little-endian numbers and runs of bytes from untrusted bytes, never
// past their end.
#pragma once

#include "hlo/support/error.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// A position in borrowed bytes; `where` and `part`, borrowed too, name them in
/// messages. Every member throws `corrupt_data` when bytes do not suffice.
class byte_reader {
public:
  byte_reader(std::span<const std::byte> bytes, const std::string &where,
              std::string_view part)
      : bytes_(bytes),
        where_(where),
        part_(part) {}

  std::size_t position() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > left())
      throw error(error_code::corrupt_data,
                  std::to_string(count) + " bytes wanted at " +
                      std::to_string(at_) + ", " + std::to_string(left()) +
                      " are left (is the file truncated?)",
                  where_, std::string(part_));
    const auto out = bytes_.subspan(at_, count);
    at_ += out.size();
    return out;
  }

  std::string_view text(std::uint64_t count) {
    const auto out = take(count);
    return {reinterpret_cast<const char *>(out.data()), out.size()};
  }

  /// The text before the next line feed, which is read too.
  std::string_view line() {
    std::size_t count = 0;
    while (count < left() && bytes_[at_ + count] != std::byte{'\n'})
      ++count;
    const auto out = text(count);
    take(1);
    return out;
  }

  template <std::unsigned_integral Number>
  Number number() {
    Number out = 0;
    unsigned shift = 0;
    for (const std::byte byte : take(sizeof(Number))) {
      out |= static_cast<Number>(std::to_integer<Number>(byte) << shift);
      shift += 8;
    }
    return out;
  }

private:
  std::span<const std::byte> bytes_;
  const std::string &where_;
  std::string_view part_;
  std::size_t at_ = 0;
};

} // namespace ganglion::runtime

// A 128-bit digest of bytes at the speed of memory: tells apart contents that
// differ by accident. Not cryptographic: it does not stop a forger.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

struct digest {
  std::array<std::uint64_t, 2> words{};

  /// 32 hexadecimal digits.
  std::string text() const;
  friend bool operator==(const digest &, const digest &) = default;
};

/// Of all bytes, the same on any number of threads; large spans are read in
/// parallel on oneTBB's threads. A change within one aligned 8-byte word is
/// always seen; any other with a chance of 1 - 2^-64 or better.
digest digest_of(std::span<const std::byte> bytes);
digest digest_of(std::string_view text);

/// Collects what a key consists of; parts cannot run into each other.
class digest_builder {
public:
  digest_builder &add(std::string_view text);
  digest_builder &add(std::int64_t number);
  digest_builder &add(std::span<const std::int64_t> numbers);
  digest_builder &add(const digest &part);
  digest finish() const { return digest_of(text_); }

private:
  std::string text_;
};

} // namespace ganglion::runtime

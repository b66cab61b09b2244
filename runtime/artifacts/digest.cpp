#include "runtime/artifacts/digest.hpp"

#include <tbb/parallel_for.h>

#include <bit>
#include <cstring>
#include <vector>

namespace ganglion::runtime {

namespace {

/// Read by one task; part of what a digest means.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::size_t lane_count = 8;
constexpr std::size_t stripe_bytes = lane_count * sizeof(std::uint64_t);

using lane_array = std::array<std::uint64_t, lane_count>;

/// Odd, so that multiplying loses nothing; bits without a pattern.
constexpr std::uint64_t step_factor = 0xd1b54a32d192ed03;
constexpr std::uint64_t mix_factor = 0xaef17502108ef2d9;

/// One-to-one in `word` and in `lane`: what differed goes on differing. Twice
/// multiplied, so that no single bit's difference stays a single bit, which
/// another single bit of the next word could undo.
std::uint64_t stepped(std::uint64_t lane, std::uint64_t word) {
  std::uint64_t x = (lane ^ word) * step_factor;
  x = (x ^ x >> 32) * mix_factor;
  return std::rotl(x, 29);
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 32) * mix_factor;
  x = (x ^ x >> 29) * step_factor;
  return x ^ x >> 32;
}

void absorb(lane_array &lanes, const std::byte *stripe) {
  std::array<std::uint64_t, lane_count> words;
  std::memcpy(words.data(), stripe, stripe_bytes);
  for (std::size_t i = 0; i < lane_count; ++i)
    lanes[i] = stepped(lanes[i], words[i]);
}

digest piece_digest(std::span<const std::byte> bytes, std::uint64_t seed) {
  lane_array lanes;
  for (std::size_t i = 0; i < lane_count; ++i)
    lanes[i] = mixed(seed * lane_count + i + 1);
  const auto size = bytes.size();
  for (; bytes.size() >= stripe_bytes; bytes = bytes.subspan(stripe_bytes))
    absorb(lanes, bytes.data());
  if (!bytes.empty()) {
    std::array<std::byte, stripe_bytes> last{};
    std::memcpy(last.data(), bytes.data(), bytes.size());
    absorb(lanes, last.data());
  }
  digest out{{size, mixed(size)}};
  for (const std::uint64_t lane : lanes) {
    out.words[0] = mixed(stepped(out.words[0], lane));
    out.words[1] = mixed(stepped(out.words[1], std::rotl(lane, 17)));
  }
  return out;
}

} // namespace

std::string digest::text() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t word : words)
    for (int shift = 60; shift >= 0; shift -= 4)
      out += digits[word >> shift & 15];
  return out;
}

digest digest_of(std::span<const std::byte> bytes) {
  const std::size_t pieces = (bytes.size() + piece_bytes - 1) / piece_bytes;
  std::vector<digest> parts(pieces);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
    const std::size_t first = i * piece_bytes;
    const auto size = std::min(piece_bytes, bytes.size() - first);
    parts[i] = piece_digest(bytes.subspan(first, size), i);
  });
  return piece_digest(std::as_bytes(std::span(parts)), bytes.size());
}

digest digest_of(std::string_view text) {
  return digest_of(std::as_bytes(std::span(text)));
}

digest_builder &digest_builder::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  text_ += text;
  return *this;
}

digest_builder &digest_builder::add(std::int64_t number) {
  text_.append(reinterpret_cast<const char *>(&number), sizeof number);
  return *this;
}

digest_builder &digest_builder::add(std::span<const std::int64_t> numbers) {
  add(static_cast<std::int64_t>(numbers.size()));
  text_.append(reinterpret_cast<const char *>(numbers.data()),
               numbers.size_bytes());
  return *this;
}

digest_builder &digest_builder::add(const digest &part) {
  return add(std::string_view(part.text()));
}

} // namespace ganglion::runtime

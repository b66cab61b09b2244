#include "apps/http/request_id.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <random>

namespace ganglion::apps {

namespace {

constexpr std::size_t longest = 128;

/// Spreads a counter over all bits (SplitMix's finaliser), a bijection.
std::uint64_t scattered(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

std::uint64_t random_bits() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

} // namespace

std::string fresh_request_id() {
  static const std::uint64_t process = random_bits();
  static std::atomic<std::uint64_t> counter = random_bits();
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%016llx-%016llx",
                static_cast<unsigned long long>(process),
                static_cast<unsigned long long>(scattered(counter++)));
  return text.data();
}

std::string request_id_of(const http_request &request) {
  const auto given = request.header("x-request-id");
  const bool usable =
      !given.empty() && given.size() <= longest && header_token(given) == given;
  return usable ? std::string(given) : fresh_request_id();
}

} // namespace ganglion::apps

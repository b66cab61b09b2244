// Digests that others publish for their files, and the keyed one that signs
// requests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::apps {

using sha256_bytes = std::array<unsigned char, 32>;

sha256_bytes sha256(std::string_view text);
sha256_bytes hmac_sha256(std::span<const unsigned char> key,
                         std::string_view text);
/// Two lower-case digits for each byte.
std::string hex(std::span<const unsigned char> bytes);

/// What a file's content is told by.
struct checksum {
  enum class method {
    none,
    sha256,
    git_blob, ///< git's SHA-1 of a blob
    md5,
  };
  method by = method::none;
  std::string digits = {}; ///< hexadecimal, lower case
};

/// The digits of `path`'s content. Throws `not_found` or `unavailable` naming
/// the path.
std::string digits_of(const std::string &path, checksum::method by);

} // namespace ganglion::apps

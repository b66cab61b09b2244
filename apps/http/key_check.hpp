// API keys: who may ask for anything but whether the server lives.
#pragma once

#include "apps/http/message.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::apps {

/// Keeps digests of keys, not the keys. Any thread.
class key_check {
public:
  /// None: everybody may.
  explicit key_check(const std::vector<std::string> &keys);

  bool open() const { return digests_.empty(); }

  /// The number of the key that the request brings, in `Authorization: Bearer`,
  /// `X-Api-Key` or as the password of `Authorization: Basic`; nothing if it
  /// brings none that is known. The time it takes tells nothing of the keys.
  std::optional<std::size_t> key_of(const http_request &request) const;

  /// Whether a route answers without a key: what platforms probe, and a
  /// browser's question before a request.
  static bool is_free(const http_request &request);

private:
  using digest = std::array<unsigned char, 32>;
  static digest digest_of(std::string_view key);

  std::vector<digest> digests_;
};

} // namespace ganglion::apps

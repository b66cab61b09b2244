#include "apps/http/key_check.hpp"

#include <algorithm>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

namespace ganglion::apps {

namespace {

constexpr std::string_view probes[] = {"/ping", "/health", "/health/live",
                                       "/health/ready"};

/// What follows `scheme` in an Authorization header; empty for another one.
std::string_view credentials(std::string_view header, std::string_view scheme) {
  if (header.size() <= scheme.size() || header[scheme.size()] != ' ' ||
      !same_header_name(header.substr(0, scheme.size()), scheme))
    return {};
  header.remove_prefix(scheme.size() + 1);
  while (header.starts_with(' '))
    header.remove_prefix(1);
  return header;
}

/// Empty for what is no base64.
std::string decoded(std::string_view base64) {
  std::string out(base64.size(), '\0');
  const int size =
      ::EVP_DecodeBlock(reinterpret_cast<unsigned char *>(out.data()),
                        reinterpret_cast<const unsigned char *>(base64.data()),
                        static_cast<int>(base64.size()));
  const auto padding = std::ranges::count(base64, '=');
  out.resize(
      static_cast<std::size_t>(std::max(size - static_cast<int>(padding), 0)));
  return out;
}

/// The password of "user:password" in base64.
std::string password_of(std::string_view basic) {
  const auto pair = decoded(basic);
  const auto colon = pair.find(':');
  return colon == std::string::npos ? std::string() : pair.substr(colon + 1);
}

std::string key_in(const http_request &request) {
  const auto authorization = request.header("authorization");
  if (const auto bearer = credentials(authorization, "Bearer"); !bearer.empty())
    return std::string(bearer);
  if (const auto basic = credentials(authorization, "Basic"); !basic.empty())
    return password_of(basic);
  return std::string(request.header("x-api-key"));
}

} // namespace

key_check::key_check(const std::vector<std::string> &keys) {
  for (const auto &key : keys)
    digests_.push_back(digest_of(key));
}

key_check::digest key_check::digest_of(std::string_view key) {
  digest out;
  ::SHA256(reinterpret_cast<const unsigned char *>(key.data()), key.size(),
           out.data());
  return out;
}

std::optional<std::size_t>
key_check::key_of(const http_request &request) const {
  const auto given = digest_of(key_in(request));
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < digests_.size(); ++i) // all of them, always
    if (::CRYPTO_memcmp(given.data(), digests_[i].data(), given.size()) == 0)
      found = i;
  return found;
}

bool key_check::is_free(const http_request &request) {
  return request.method == "OPTIONS" ||
         (request.method == "GET" &&
          std::ranges::find(probes, request.path) != std::end(probes));
}

} // namespace ganglion::apps

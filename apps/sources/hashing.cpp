#include "apps/sources/hashing.hpp"

#include "hlo/support/error.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace ganglion::apps {

namespace {

const EVP_MD *algorithm(checksum::method by) {
  switch (by) {
  case checksum::method::sha256:
    return EVP_sha256();
  case checksum::method::git_blob:
    return EVP_sha1();
  case checksum::method::md5:
    return EVP_md5();
  case checksum::method::none:
    break;
  }
  return nullptr;
}

/// A digest that is fed piece by piece.
class running_digest {
public:
  explicit running_digest(const EVP_MD *algorithm) {
    require(EVP_DigestInit_ex(context_.get(), algorithm, nullptr) == 1,
            "a digest could not be started");
  }
  void add(std::string_view bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1,
            "a digest could not go on");
  }
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned size = 0;
    require(EVP_DigestFinal_ex(context_.get(), out.data(), &size) == 1,
            "a digest could not be ended");
    return hex({out.data(), size});
  }

private:
  struct closer {
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, closer> context_{EVP_MD_CTX_new()};
};

} // namespace

sha256_bytes sha256(std::string_view text) {
  sha256_bytes out{};
  require(EVP_Digest(text.data(), text.size(), out.data(), nullptr,
                     EVP_sha256(), nullptr) == 1,
          "a digest could not be made");
  return out;
}

sha256_bytes hmac_sha256(std::span<const unsigned char> key,
                         std::string_view text) {
  sha256_bytes out{};
  unsigned size = 0;
  require(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
               reinterpret_cast<const unsigned char *>(text.data()),
               text.size(), out.data(), &size) != nullptr,
          "a keyed digest could not be made");
  return out;
}

std::string hex(std::span<const unsigned char> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::string digits_of(const std::string &path, checksum::method by) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw error(error_code::not_found, "cannot open file", path);
  running_digest digest(algorithm(by));
  if (by == checksum::method::git_blob)
    digest.add("blob " + std::to_string(std::filesystem::file_size(path)) +
               std::string(1, '\0'));
  std::vector<char> piece(std::size_t{1} << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad())
    throw error(error_code::unavailable, "cannot read file", path);
  return digest.finish();
}

} // namespace ganglion::apps

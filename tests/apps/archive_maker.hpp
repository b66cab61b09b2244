// Archives for tests, laid out here so that they may be wrong.
#pragma once

#include "runtime/checkpoint/crc32.hpp"
#include "runtime/checkpoint/zip_writer.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace ganglion::testing {

struct archive_member {
  std::string name, content = {};
  char kind = '0'; ///< tar's: '0' file, '5' directory, '2' symbolic link
  std::string link = {};
};

inline std::string octal(std::uint64_t value, int digits) {
  std::string out(static_cast<std::size_t>(digits), '0');
  for (int i = digits - 1; i >= 0; --i, value /= 8)
    out[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 8);
  return out;
}

inline std::string tar_header(const archive_member &m) {
  std::string out(512, '\0');
  const auto put = [&](std::size_t at, const std::string &text) {
    out.replace(at, text.size(), text);
  };
  put(0, m.name);
  put(100, octal(0644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(m.content.size(), 11));
  put(136, octal(0, 11));
  put(148, std::string(8, ' '));
  out[156] = m.kind;
  put(157, m.link);
  put(257, "ustar");
  put(263, "00");
  unsigned sum = 0;
  for (const char c : out)
    sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6) + std::string(1, '\0') + " ");
  return out;
}

inline std::string tar_of(const std::vector<archive_member> &members) {
  std::string out;
  for (const auto &m : members) {
    out += tar_header(m) + m.content;
    out.append((512 - m.content.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

inline std::string little_endian(std::uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i));
  return out;
}

/// gzip without compression: blocks that are stored.
inline std::string gzip_of(const std::string &text) {
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  constexpr std::size_t block = 65535;
  for (std::size_t at = 0; at < text.size(); at += block) {
    const auto n = std::min(block, text.size() - at);
    const auto size = static_cast<std::uint32_t>(n);
    out += at + n == text.size() ? '\1' : '\0';
    out +=
        little_endian(size, 2) + little_endian(~size, 2) + text.substr(at, n);
  }
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return out + little_endian(runtime::crc32(bytes), 4) +
         little_endian(static_cast<std::uint32_t>(text.size()), 4);
}

inline std::string zip_of(const std::vector<archive_member> &members) {
  runtime::zip_writer writer;
  for (const auto &m : members)
    writer.add(m.name, std::as_bytes(std::span(m.content)));
  std::string out;
  for (const auto piece : writer.finish())
    out.append(reinterpret_cast<const char *>(piece.data()), piece.size());
  return out;
}

} // namespace ganglion::testing

#include "runtime/checkpoint/zip_writer.hpp"

#include "runtime/checkpoint/crc32.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::uint64_t in_extra = 0xffffffff; ///< "see the zip64 field"
constexpr std::size_t local_size = 30;
constexpr std::size_t extra_header = 4;

/// A little-endian number of `count` bytes.
std::string number(std::uint64_t value, int count) {
  std::string out;
  for (int i = 0; i < count; ++i, value >>= 8)
    out += static_cast<char>(value & 0xff);
  return out;
}

std::uint64_t narrow(std::uint64_t value) { return std::min(value, in_extra); }
bool is_wide(std::uint64_t value) { return value >= in_extra; }

/// An extra field: id, length, content.
std::string extra(std::string_view id, const std::string &content) {
  return std::string(id) + number(content.size(), 2) + content;
}

/// What both headers of an entry have from the version on to the sizes.
std::string common_part(std::uint32_t sum, std::uint64_t size) {
  return number(is_wide(size) ? 45 : 20, 2) + number(0, 8) + number(sum, 4) +
         number(narrow(size), 4) + number(narrow(size), 4);
}

} // namespace

void zip_writer::append(std::string text) {
  own_.push_back(std::move(text));
  pieces_.push_back(std::as_bytes(std::span(own_.back())));
  size_ += own_.back().size();
}

void zip_writer::add(const std::string &name,
                     std::span<const std::byte> bytes) {
  const std::uint64_t begin = size_, size = bytes.size();
  const std::uint32_t sum = crc32(bytes);
  std::string wide;
  if (is_wide(size))
    wide = extra({"\1\0", 2}, number(size, 8) + number(size, 8));
  const auto before =
      begin + local_size + name.size() + wide.size() + extra_header;
  const auto padding = (alignment - before % alignment) % alignment;
  const auto extras = wide + extra("FB", std::string(padding, 'Z'));
  append("PK\3\4" + common_part(sum, size) + number(name.size(), 2) +
         number(extras.size(), 2) + name + extras);
  pieces_.push_back(bytes);
  size_ += size;

  std::string far = is_wide(size) ? number(size, 8) + number(size, 8) : "";
  far += is_wide(begin) ? number(begin, 8) : "";
  const auto field = far.empty() ? "" : extra({"\1\0", 2}, far);
  directory_ += "PK\1\2" + number(45, 2) + common_part(sum, size) +
                number(name.size(), 2) + number(field.size(), 2) +
                number(0, 10) + number(narrow(begin), 4) + name + field;
  ++entries_;
}

const std::vector<std::span<const std::byte>> &zip_writer::finish() {
  const std::uint64_t begin = size_, size = directory_.size();
  append(std::move(directory_));
  if (is_wide(begin))
    append("PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) +
           number(0, 8) + number(entries_, 8) + number(entries_, 8) +
           number(size, 8) + number(begin, 8) + "PK\6\7" + number(0, 4) +
           number(begin + size, 8) + number(1, 4));
  append("PK\5\6" + number(0, 4) + number(entries_, 2) + number(entries_, 2) +
         number(narrow(size), 4) + number(narrow(begin), 4) + number(0, 2));
  return pieces_;
}

} // namespace ganglion::runtime

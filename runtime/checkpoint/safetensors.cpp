#include "runtime/checkpoint/safetensors.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/safetensors_header.hpp"

#include <utility>

namespace ganglion::runtime {

namespace {

constexpr std::size_t prefix = 8;

/// The header's length, checked against the file.
std::size_t header_length(std::span<const std::byte> bytes,
                          const std::string &where) {
  const auto fail = [&](const std::string &message) -> error {
    return {error_code::corrupt_data, message, where};
  };
  if (bytes.size() < prefix)
    throw fail("too short for a safetensors file: " +
               std::to_string(bytes.size()) + " bytes");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < prefix; ++i)
    length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  if (length > safetensors_file::max_header)
    throw fail("header of " + std::to_string(length) +
               " bytes exceeds the limit of " +
               std::to_string(safetensors_file::max_header));
  if (length > bytes.size() - prefix)
    throw fail("header of " + std::to_string(length) +
               " bytes does not fit the file of " +
               std::to_string(bytes.size()) + " (is it truncated?)");
  return static_cast<std::size_t>(length);
}

} // namespace

safetensors_file safetensors_file::open(const std::string &path) {
  auto mapping = mapped_file::open(path);
  auto out = parse(mapping.bytes(), path);
  out.file_ = std::move(mapping);
  return out;
}

safetensors_file safetensors_file::parse(std::span<const std::byte> bytes,
                                         std::string where) {
  const std::size_t length = header_length(bytes, where);
  const std::string_view text(
      reinterpret_cast<const char *>(bytes.data() + prefix), length);
  const auto data = bytes.subspan(prefix + length);
  auto header = read_safetensors_header(text, data.size(), where);

  safetensors_file out;
  out.where_ = std::move(where);
  out.metadata_ = std::move(header.metadata);
  out.tensors_.reserve(header.entries.size());
  for (auto &entry : header.entries) {
    out.by_name_.emplace(entry.name, out.tensors_.size());
    out.tensors_.push_back(
        {std::move(entry.name), entry.dtype, std::move(entry.dims),
         data.subspan(entry.begin, entry.end - entry.begin)});
  }
  return out;
}

const tensor_view *safetensors_file::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &tensors_[at->second];
}

} // namespace ganglion::runtime

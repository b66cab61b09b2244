#include "runtime/checkpoint/zip_archive.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/byte_reader.hpp"
#include "runtime/checkpoint/zip_directory.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

constexpr std::uint32_t entry_mark = 0x04034b50;
constexpr std::uint16_t encrypted = 1;

[[noreturn]] void fail(error_code code, const std::string &message,
                       const std::string &where, const zip_row &row) {
  throw error(code, message, where, std::string(row.name));
}

void check_plain(const zip_row &row, const std::string &where) {
  if (row.flags & encrypted)
    fail(error_code::unsupported, "the entry is encrypted: refused", where,
         row);
  if (row.method != 0)
    fail(error_code::unsupported,
         "the entry is compressed (" +
             std::string(row.method == 8 ? "deflate" : "method ") +
             (row.method == 8 ? "" : std::to_string(row.method)) +
             "): refused; torch.save stores entries as they are",
         where, row);
  if (row.size != row.stored_size)
    fail(error_code::corrupt_data,
         "a stored entry of " + std::to_string(row.size) + " bytes takes " +
             std::to_string(row.stored_size),
         where, row);
}

/// The offset of the row's bytes, behind the entry's own header, which must
/// lie between `begin` and `end` as must the bytes.
std::uint64_t data_offset(std::span<const std::byte> bytes, std::uint64_t begin,
                          std::uint64_t end, const zip_row &row,
                          const std::string &where) {
  if (row.header < begin)
    fail(error_code::corrupt_data, "overlaps the entry before it", where, row);
  if (row.header > end)
    fail(error_code::corrupt_data, "lies outside the archive", where, row);
  byte_reader reader(bytes.first(end).subspan(row.header), where, row.name);
  if (reader.number<std::uint32_t>() != entry_mark)
    fail(error_code::corrupt_data, "no entry begins at its offset", where, row);
  reader.take(22); // what the directory says too
  const auto name = reader.number<std::uint16_t>();
  const auto extra = reader.number<std::uint16_t>();
  if (reader.text(name) != row.name)
    fail(error_code::corrupt_data, "the entry itself has another name", where,
         row);
  reader.take(extra);
  const auto out = row.header + reader.position();
  reader.take(row.size);
  return out;
}

} // namespace

zip_archive zip_archive::parse(std::span<const std::byte> bytes,
                               const std::string &where) {
  auto directory = read_zip_directory(bytes, max_entries, where);
  std::ranges::sort(directory.rows, {}, &zip_row::header);
  zip_archive out;
  std::uint64_t end = 0; // of the entry before
  for (const auto &row : directory.rows) {
    check_plain(row, where);
    const auto at = data_offset(bytes, end, directory.begin, row, where);
    end = at + row.size;
    if (!out.entries_.emplace(row.name, bytes.subspan(at, row.size)).second)
      fail(error_code::corrupt_data, "given twice", where, row);
  }
  return out;
}

const std::span<const std::byte> *
zip_archive::find(std::string_view name) const {
  const auto at = entries_.find(name);
  return at == entries_.end() ? nullptr : &at->second;
}

} // namespace ganglion::runtime

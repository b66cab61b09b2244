// The entries of a zip archive whose bytes are stored as they are, found by
// name. Nothing is decompressed, so an archive is never larger than its file.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Immutable, so any thread may read. Entries borrow from the bytes parsed.
/// Checksums are not verified: that would read every byte of every tensor.
class zip_archive {
public:
  using entry_map =
      std::map<std::string_view, std::span<const std::byte>, std::less<>>;

  static constexpr std::size_t max_entries = 1 << 20;

  /// Reads the directory at the end of `bytes`, zip64 included. Throws
  /// `corrupt_data` for entries that overlap, lie outside, repeat a name or
  /// contradict their own header, and `unsupported` for compressed or
  /// encrypted entries and archives of several parts.
  static zip_archive parse(std::span<const std::byte> bytes,
                           const std::string &where);

  /// Sorted by name.
  const entry_map &entries() const { return entries_; }
  /// The bytes of the entry of that name, or null.
  const std::span<const std::byte> *find(std::string_view name) const;

private:
  entry_map entries_;
};

} // namespace ganglion::runtime

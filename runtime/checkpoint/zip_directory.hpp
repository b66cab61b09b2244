// Where a zip archive keeps its list of entries, and what the list says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// One row of the list, not yet compared with the entry itself.
struct zip_row {
  std::string_view name; ///< borrowed from the archive
  std::uint16_t flags = 0;
  std::uint16_t method = 0; ///< of compression; 0: none
  std::uint64_t stored_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0; ///< offset of the entry's own header
};

struct zip_directory {
  std::uint64_t begin = 0; ///< offset of the list, where the entries end
  std::vector<zip_row> rows;
};

/// Reads the list of at most `max_rows` entries. Throws `corrupt_data` or, for
/// an archive of several parts, `unsupported`.
zip_directory read_zip_directory(std::span<const std::byte> bytes,
                                 std::size_t max_rows,
                                 const std::string &where);

} // namespace ganglion::runtime

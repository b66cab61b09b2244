// Unpacks .tar.gz and .zip files of a model, which may come from anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::apps {

struct archive_limits {
  std::uint64_t bytes = 0; ///< of all files together, unpacked
  std::uint64_t entries = 100'000;
};

/// Whether a name ends as that of an archive does: .tar.gz, .tgz, .tar, .zip.
bool is_archive_name(std::string_view name);
/// The name without that ending.
std::string_view without_archive_ending(std::string_view name);

/// Unpacks `archive` into `directory`, which appears when everything is in it.
/// Only files and directories are made, nothing outside, none twice. Throws
/// `corrupt_data` naming the entry for anything else, for more than the limits
/// and for a damaged archive; `not_found`; `unavailable` when the disk refuses.
void unpack_archive(const std::string &archive, const std::string &directory,
                    const archive_limits &limits);

} // namespace ganglion::apps

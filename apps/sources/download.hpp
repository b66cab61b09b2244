// One file from the network to the disk: goes on where it broke off, and counts
// only when its checksum is right.
#pragma once

#include "apps/sources/hashing.hpp"
#include "apps/sources/web_client.hpp"
#include "hlo/support/clock.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ganglion::apps {

struct download {
  std::string url;
  /// Made for every attempt, since signatures have a time.
  std::function<std::map<std::string, std::string>()> headers;
  std::string to; ///< the file; it appears when it is complete
  std::uint64_t size = 0;
  /// Tells this version of the file from others; part of the partial file's
  /// name, of letters and digits.
  std::string version;
  checksum expected = {};
};

struct download_habits {
  /// Waits between two attempts.
  std::function<void(duration)> pause;
  /// Told of bytes as they arrive, those of an earlier start included.
  std::function<void(std::size_t)> progress;
  /// Attempts in a row that bring nothing before it gives up.
  int attempts = 5;
};

/// Does nothing when the file is there in its size. Throws what
/// `refuse_failure` throws, `unavailable` when another process is at it or the
/// disk is full, and `corrupt_data` for other bytes than expected.
void fetch_file(web_client &client, const download &file,
                const download_habits &habits);

} // namespace ganglion::apps

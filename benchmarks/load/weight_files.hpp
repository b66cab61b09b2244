// What any start does at least with the files of a model: reading them, and
// copying them into memory of its own.
#pragma once

#include <string>

namespace ganglion::benchmarks {

/// Seconds to read every weights file of a model directory once, in order.
/// Throws `not_found` when there is none.
double seconds_to_read(const std::string &directory);

/// Seconds to copy them, mapped, into fresh memory with all cores: what
/// packing takes if its own work costs nothing. Throws as above.
double seconds_to_copy(const std::string &directory);

/// Takes all files below `directory` out of the page cache, so that the next
/// reading comes from the disk.
void evict(const std::string &directory);

} // namespace ganglion::benchmarks

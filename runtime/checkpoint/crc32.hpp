// The checksum of zip archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ganglion::runtime {

/// CRC-32 as in zip, gzip and PNG: polynomial 0xedb88320, reflected.
std::uint32_t crc32(std::span<const std::byte> bytes);

} // namespace ganglion::runtime

// Writes a file so that readers see all of it or nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Writes `bytes` beside `path` and moves them there, over what was there
/// before. Throws `not_found` or `unavailable` naming the path; then nothing
/// has changed.
void write_atomically(const std::string &path,
                      std::span<const std::byte> bytes);
/// The same of several pieces, one after the other.
void write_atomically(const std::string &path,
                      std::span<const std::span<const std::byte>> pieces);
void write_atomically(const std::string &path, std::string_view text);

/// Makes the directory and its parents. Throws `unavailable`.
void make_directories(const std::string &path);

} // namespace ganglion::runtime

#include "runtime/checkpoint/atomic_file.hpp"

#include "runtime/checkpoint/file_error.hpp"
#include "runtime/checkpoint/unfinished_file.hpp"

#include <filesystem>

namespace ganglion::runtime {

void write_atomically(const std::string &path,
                      std::span<const std::span<const std::byte>> pieces) {
  unfinished_file file(path);
  std::uint64_t position = 0;
  for (const auto &piece : pieces) {
    file.write_at(position, piece);
    position += piece.size();
  }
  file.move_into_place();
}

void write_atomically(const std::string &path,
                      std::span<const std::byte> bytes) {
  write_atomically(path, std::span(&bytes, 1));
}

void write_atomically(const std::string &path, std::string_view text) {
  write_atomically(path, std::as_bytes(std::span(text)));
}

void make_directories(const std::string &path) {
  std::error_code status;
  std::filesystem::create_directories(path, status);
  if (status)
    throw file_error(path, "create directory", status.value());
}

} // namespace ganglion::runtime

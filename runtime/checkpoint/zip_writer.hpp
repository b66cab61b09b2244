// Lays out a zip archive of stored entries as torch.save does: their bytes
// aligned, zip64 where numbers need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// Collects entries and gives the archive as pieces, so that a large entry is
/// never copied.
class zip_writer {
public:
  /// Borrows `bytes` until the archive is written.
  void add(const std::string &name, std::span<const std::byte> bytes);

  /// All pieces in order, borrowed from this object and the entries. Last call.
  const std::vector<std::span<const std::byte>> &finish();

private:
  void append(std::string text);

  std::deque<std::string> own_; ///< headers; a deque keeps them in place
  std::vector<std::span<const std::byte>> pieces_;
  std::uint64_t size_ = 0;
  std::uint64_t entries_ = 0;
  std::string directory_;
};

} // namespace ganglion::runtime

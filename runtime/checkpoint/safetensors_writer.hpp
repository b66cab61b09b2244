// Writes safetensors files: all at once from tensors in memory, or piece by
// piece and from many threads for files larger than memory.
#pragma once

#include "runtime/checkpoint/tensor_view.hpp"
#include "runtime/checkpoint/unfinished_file.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// A tensor to be written: what a header says about it.
struct tensor_spec {
  std::string name;
  tensor_dtype dtype = tensor_dtype::f32;
  std::vector<std::int64_t> dims;
};

using safetensors_metadata = std::map<std::string, std::string>;

/// A file being written beside its final place, and moved there by `commit`;
/// without it, nothing is left behind. Wider element types are placed first,
/// so that every tensor is aligned to its elements.
class safetensors_writer {
public:
  /// Creates the file at its full size. Throws `invalid_argument` for two
  /// tensors of one name or impossible dimensions, `not_found` or
  /// `unavailable` when the file cannot be made.
  safetensors_writer(std::string path, std::vector<tensor_spec> tensors,
                     const safetensors_metadata &metadata = {});

  const std::vector<tensor_spec> &tensors() const { return tensors_; }

  /// Puts bytes at `offset` of the tensor with that index. Any thread, pieces
  /// must not overlap. Throws `invalid_argument` outside the tensor and
  /// `unavailable` when the disk refuses.
  void write(std::size_t tensor, std::uint64_t offset,
             std::span<const std::byte> bytes);

  /// Moves the file into place. Throws `internal` when bytes are missing.
  void commit();

private:
  std::string lay_out(const safetensors_metadata &metadata);

  std::vector<tensor_spec> tensors_;
  std::vector<std::uint64_t> begins_; ///< of each tensor, within the file
  std::vector<std::uint64_t> sizes_;
  std::uint64_t total_ = 0; ///< bytes of all tensors
  std::atomic<std::uint64_t> written_ = 0;
  unfinished_file file_;
};

/// Writes a whole file; it appears complete or not at all. Throws as the class
/// above does, and `invalid_argument` when bytes do not match dimensions.
void write_safetensors(const std::string &path,
                       std::span<const tensor_view> tensors,
                       const safetensors_metadata &metadata = {});

} // namespace ganglion::runtime

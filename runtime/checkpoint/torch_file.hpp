// Reads a file that torch.save wrote: a zip archive of a pickle and the
// storages of its tensors. Nothing in it is executed.
#pragma once

#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/checkpoint/tensor_view.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// A checked file. Immutable, so any thread may read; movable, and views stay
/// valid when it moves. Tensors are views of the file; those that do not lie
/// row by row are copied once, at most as many bytes as the file has.
class torch_file {
public:
  /// Maps and checks a state dict. Throws as `mapped_file::open` and `parse`.
  static torch_file open(const std::string &path);
  /// The same for a file of one tensor, which gets that name.
  static torch_file open_tensor(const std::string &path,
                                const std::string &name);

  /// Checks bytes that the caller keeps alive; `where` names them in
  /// messages. Throws `corrupt_data` naming the tensor and the reason, and
  /// `unsupported` for what is refused: functions and classes other than
  /// those of tensors (by name), compressed entries, TorchScript, and the
  /// format from before PyTorch 1.6.
  static torch_file parse(std::span<const std::byte> bytes, std::string where);

  /// All tensors, in the order of their names.
  const std::vector<tensor_view> &tensors() const { return tensors_; }
  const std::string &where() const { return where_; }
  /// The mapping behind the views; empty for bytes that the caller keeps.
  const mapped_file &mapping() const { return file_; }

private:
  friend class torch_file_reader;
  torch_file() = default;

  mapped_file file_;
  std::string where_;
  std::vector<tensor_view> tensors_;
  std::vector<std::vector<std::byte>> copies_;
};

} // namespace ganglion::runtime

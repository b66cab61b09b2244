// Reads one safetensors file: eight bytes of header length, a JSON header,
// then the tensors' bytes. Nothing in the header is believed unchecked.
#pragma once

#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/checkpoint/tensor_view.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// A checked file. Immutable, so any thread may read; movable, and views stay
/// valid when it moves.
class safetensors_file {
public:
  /// The reference implementation's limit on the header, in bytes.
  static constexpr std::size_t max_header = 100'000'000;

  /// Maps and checks a file. Throws as `mapped_file::open` and `parse` do.
  static safetensors_file open(const std::string &path);

  /// Checks bytes that the caller keeps alive; `where` names them in
  /// messages. Throws `corrupt_data` naming the tensor and the reason.
  static safetensors_file parse(std::span<const std::byte> bytes,
                                std::string where);

  /// The tensor of that name, or null. Lives as long as this file.
  const tensor_view *find(std::string_view name) const;
  /// All tensors, in the order of their bytes.
  const std::vector<tensor_view> &tensors() const { return tensors_; }
  /// The free-form "__metadata__" strings.
  const std::map<std::string, std::string> &metadata() const {
    return metadata_;
  }
  const std::string &where() const { return where_; }
  /// The mapping behind the views; empty for bytes that the caller keeps.
  const mapped_file &mapping() const { return file_; }

private:
  safetensors_file() = default;

  mapped_file file_;
  std::string where_;
  std::vector<tensor_view> tensors_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::string> metadata_;
};

} // namespace ganglion::runtime

// A model directory's weights in whichever form they were saved, mapped into
// memory and found by tensor name.
#pragma once

#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/checkpoint/tensor_view.hpp"
#include "runtime/checkpoint/torch_file.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ganglion::runtime {

/// Which form of a checkpoint to take where a directory has several.
enum class checkpoint_form {
  any,        ///< the first that is there
  split,      ///< `pytorch_model.bin/`, one file per tensor
  presharded, ///< one file per layer, a tensor per weight and rank
};

/// Immutable, so any thread may read. Views borrow from it: keep the pointer.
class checkpoint {
public:
  /// Opens the first of these that `directory` has: `model.safetensors`, the
  /// shards of `model.safetensors.index.json`, the split directory
  /// `pytorch_model.bin/`, the file `pytorch_model.bin`, the shards of
  /// `pytorch_model.bin.index.json`. Throws `not_found` (naming the path and
  /// what was looked for), or `unsupported` or `corrupt_data` as the readers
  /// of those files do.
  static std::shared_ptr<const checkpoint>
  open(const std::string &directory,
       checkpoint_form form = checkpoint_form::any);

  /// Whether the directory has weights in any form, readable or not.
  static bool present_in(const std::string &directory);

  std::optional<tensor_view> find(std::string_view name) const;
  /// As `find`, but throws `not_found` naming the tensor.
  tensor_view at(std::string_view name) const;
  bool contains(std::string_view name) const;
  /// The path of the file that has the tensor; empty when none has.
  std::string file_of(std::string_view name) const;
  /// All tensor names, sorted.
  std::vector<std::string> names() const;
  /// Bytes of all tensors.
  std::uint64_t total_bytes() const;
  const std::string &directory() const { return directory_; }
  /// Of all files that tensors come from.
  std::vector<file_identity> identities() const;
  /// Takes the tensor's pages out of this process's memory; reading it brings
  /// them back.
  void release(const tensor_view &tensor) const;

private:
  checkpoint() = default;
  void add_file(const std::string &name);
  void add_shards(const std::string &index_name);
  void add_split(const std::string &name);
  void add_presharded();

  std::string directory_;
  std::vector<std::variant<safetensors_file, torch_file>> files_;
  /// Points into `files_`, which does not change after `open`.
  std::map<std::string, const tensor_view *, std::less<>> by_name_;
};

} // namespace ganglion::runtime

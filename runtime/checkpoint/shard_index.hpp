// model.safetensors.index.json or pytorch_model.bin.index.json: which tensor is
// in which file of a sharded checkpoint.
#pragma once

#include "runtime/checkpoint/tensor_view.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

class shard_index {
public:
  using tensor_map = std::map<std::string, const tensor_view *, std::less<>>;

  /// Reads an index. Throws `not_found`, or `corrupt_data` for wrong types,
  /// names given twice and file names that would leave the directory.
  static shard_index load(const std::string &path);
  static shard_index parse(std::string_view text, const std::string &where);

  /// The shards' file names, sorted.
  std::vector<std::string> files() const;
  /// The tensors that the index places in `file`, found in `shard`, which the
  /// result points into. Throws `corrupt_data` naming every absent one;
  /// tensors the index does not mention are left out with a warning.
  /// `shard_where` names the shard in messages.
  tensor_map select(const std::string &file, std::span<const tensor_view> shard,
                    const std::string &shard_where) const;

private:
  std::map<std::string, std::vector<std::string>> tensors_of_file_;
  std::string where_;
};

} // namespace ganglion::runtime

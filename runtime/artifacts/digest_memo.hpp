// Remembers the digest of files whose state has not changed since, so that a
// start need not read gigabytes to know what they are.
#pragma once

#include "runtime/artifacts/digest.hpp"
#include "runtime/checkpoint/mapped_file.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace ganglion::runtime {

/// Keeps one small file for each remembered set of files. Any thread, and
/// several processes at once.
class digest_memo {
public:
  /// `directory` is made when there is something to remember; one that cannot
  /// be written remembers nothing.
  explicit digest_memo(std::string directory)
      : directory_(std::move(directory)) {}

  /// The digest remembered for files in exactly this state, or what `compute`
  /// gives, which is then remembered. Files changed within the last moments
  /// are not: their state may not tell the next change.
  digest get(std::span<const file_identity> files,
             const std::function<digest()> &compute) const;

  std::optional<digest> find(std::span<const file_identity> files) const;
  void remember(std::span<const file_identity> files, const digest &d) const;

private:
  std::string path_of(std::span<const file_identity> files) const;

  std::string directory_;
};

} // namespace ganglion::runtime

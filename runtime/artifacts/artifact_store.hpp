// A directory of artefacts: files named by what they were made from, each with
// a manifest beside it that is written last.
#pragma once

#include "runtime/artifacts/cache_space.hpp"
#include "runtime/artifacts/digest_memo.hpp"
#include "runtime/artifacts/manifest.hpp"
#include "runtime/checkpoint/mapped_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// An artefact whose bytes are what its manifest says.
struct found_artifact {
  manifest about;
  mapped_file bytes;
};

/// Any thread, and several processes at once: what has one name has one
/// content.
class artifact_store {
public:
  enum class policy {
    cache, ///< what is damaged is made again; a full disk is no failure
    fixed, ///< somebody's deliberate work: what is damaged is an error
  };

  /// `limit`: bytes that a cache may take; 0: no limit. What it gives out or
  /// takes in stays until all copies of this store are gone; of the rest, the
  /// least recently used artefacts make room.
  artifact_store(std::string directory, policy how, std::uint64_t limit = 0);

  const std::string &directory() const { return directory_; }
  policy how() const { return how_; }
  const digest_memo &memo() const { return memo_; }

  /// The artefact, or nothing when there is none or, in a cache, when it is
  /// damaged. Small files are read to see that; of large ones, those whose
  /// state has changed since they were last read. Throws `corrupt_data`
  /// (policy `fixed`) naming the file.
  std::optional<found_artifact> find(std::string_view kind,
                                     const digest &key) const;
  /// Whether there is a manifest for it; reads no artefact.
  bool contains(std::string_view kind, const digest &key) const;

  /// Writes `bytes` as the artefact, `about` without file, size and digest
  /// being its manifest. A cache logs what goes wrong, or does not write when
  /// the disk would be left nearly full or its limit exceeded; `fixed` throws.
  void keep(manifest about, const digest &key,
            std::span<const std::byte> bytes) const;

private:
  std::string stem(std::string_view kind, const digest &key) const;
  found_artifact open(const std::string &path) const;
  void write(manifest about, const digest &key,
             std::span<const std::byte> bytes) const;

  std::string directory_;
  policy how_;
  digest_memo memo_;
  std::shared_ptr<cache_space> space_;
};

} // namespace ganglion::runtime

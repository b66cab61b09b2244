// The layout of HuggingFace's cache: blobs by checksum, snapshots of links to
// them, and a file for each branch that names its commit.
#pragma once

#include <string>

namespace ganglion::apps {

class hub_cache {
public:
  /// Of one model. Creates nothing yet.
  hub_cache(const std::string &directory, const std::string &id);

  /// Where the content with that checksum lies, or is to lie.
  std::string blob(const std::string &digits) const;

  /// Gives the blob its name in the commit's snapshot. Throws `corrupt_data`
  /// for a commit that is no number, `unavailable` when the disk refuses.
  void link(const std::string &commit, const std::string &name,
            const std::string &digits) const;

  /// Notes that `revision` is `commit`; the snapshot's directory.
  std::string finish(const std::string &revision,
                     const std::string &commit) const;

  /// The snapshot that `revision` was last. Throws `not_found`.
  std::string snapshot_of(const std::string &revision) const;

private:
  std::string snapshot(const std::string &commit) const;

  std::string root_;
};

} // namespace ganglion::apps

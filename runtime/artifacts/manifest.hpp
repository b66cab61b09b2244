// The JSON file beside every artefact: what it is, everything it was made
// with, and checksums of the artefact and of the manifest itself.
#pragma once

#include "runtime/artifacts/digest.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime {

/// A setting or a fact, as shown to people and compared as text.
struct manifest_field {
  std::string name, value;
  friend bool operator==(const manifest_field &,
                         const manifest_field &) = default;
};

struct manifest {
  /// Of the manifests themselves; another one is not read.
  static constexpr std::int64_t format = 1;

  std::string kind; ///< "program", "weights", "digest" or "model"
  std::vector<manifest_field> fields;
  /// The artefact's bytes, in a file beside the manifest; empty: none.
  std::string file;
  std::uint64_t size = 0;
  std::string digest; ///< of the file's bytes

  /// The value of a field, or null.
  const std::string *find(std::string_view name) const;
  friend bool operator==(const manifest &, const manifest &) = default;
};

std::string write_manifest(const manifest &m);

/// A manifest's text up to its checksum, with the checksum that is right.
std::string sealed(std::string body);

/// Throws `corrupt_data` naming `where` for a text that `write_manifest` never
/// wrote (a flipped byte is seen by the checksum), and `unsupported` for
/// another format, naming both.
manifest parse_manifest(std::string_view text, const std::string &where);

/// Of a file; throws `not_found` and as above.
manifest load_manifest(const std::string &path);

} // namespace ganglion::runtime

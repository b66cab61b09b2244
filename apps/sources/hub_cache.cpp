#include "apps/sources/hub_cache.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

#include <filesystem>
#include <fstream>

namespace ganglion::apps {

namespace {

namespace fs = std::filesystem;

/// "org/name" as the cache writes it.
std::string folder_of(const std::string &id) {
  std::string out = "models--";
  for (const char c : id)
    out += c == '/' ? std::string("--") : std::string(1, c);
  return out;
}

void check_commit(const std::string &commit) {
  if (commit.empty() ||
      commit.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw error(error_code::corrupt_data, "'" + commit + "' is no commit");
}

/// A revision may have slashes; it may not leave the folder.
void check_revision(const std::string &revision) {
  const fs::path path(revision);
  for (const auto &part : path)
    if (part == ".." || path.is_absolute())
      throw error(error_code::invalid_argument,
                  "'" + revision + "' is no branch, tag or commit", {},
                  "revision");
}

} // namespace

hub_cache::hub_cache(const std::string &directory, const std::string &id)
    : root_(directory + "/" + folder_of(id)) {}

std::string hub_cache::blob(const std::string &digits) const {
  return root_ + "/blobs/" + digits;
}

std::string hub_cache::snapshot(const std::string &commit) const {
  return root_ + "/snapshots/" + commit;
}

void hub_cache::link(const std::string &commit, const std::string &name,
                     const std::string &digits) const {
  check_commit(commit);
  runtime::make_directories(snapshot(commit));
  const auto place = snapshot(commit) + "/" + name;
  const auto target = "../../blobs/" + digits;
  std::error_code failed;
  if (fs::is_symlink(place, failed) &&
      fs::read_symlink(place, failed) == target)
    return;
  fs::remove(place, failed);
  fs::create_symlink(target, place, failed);
  if (failed && !fs::exists(place)) // another process may have been first
    throw error(error_code::unavailable,
                "cannot make a link: " + failed.message(), place);
}

std::string hub_cache::finish(const std::string &revision,
                              const std::string &commit) const {
  check_revision(revision);
  const auto place = fs::path(root_ + "/refs/" + revision);
  runtime::make_directories(place.parent_path().string());
  runtime::write_atomically(place.string(), commit);
  return snapshot(commit);
}

std::string hub_cache::snapshot_of(const std::string &revision) const {
  check_revision(revision);
  std::ifstream file(root_ + "/refs/" + revision);
  std::string commit = revision; // a commit has no name
  if (file) {
    file >> commit;
    check_commit(commit);
  }
  if (!fs::is_directory(snapshot(commit)))
    throw error(error_code::not_found,
                "revision '" + revision +
                    "' is not in the cache, and the hub is not asked "
                    "(HF_HUB_OFFLINE)",
                root_, "model_id");
  return snapshot(commit);
}

} // namespace ganglion::apps

#include "runtime/artifacts/artifact_store.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

/// Files up to here are read in full each time: it takes no time.
constexpr std::size_t small_file = std::size_t{16} << 20;

std::string extension_of(std::string_view kind) {
  return kind == "program" ? ".hlo" : "." + std::string(kind);
}

/// Whether a file of `bytes` leaves a twentieth of the disk free.
bool disk_has_room(const std::string &directory, std::size_t bytes) {
  std::error_code failure;
  const auto space = std::filesystem::space(directory, failure);
  return failure || space.available > bytes + space.capacity / 20;
}

digest digest_of_file(const mapped_file &file, const digest_memo &memo) {
  if (file.bytes().size() <= small_file)
    return digest_of(file.bytes());
  return memo.get({&file.identity(), 1},
                  [&] { return digest_of(file.bytes()); });
}

} // namespace

artifact_store::artifact_store(std::string directory, policy how,
                               std::uint64_t limit)
    : directory_(std::move(directory)),
      how_(how),
      memo_(directory_),
      space_(std::make_shared<cache_space>(directory_, limit)) {}

std::string artifact_store::stem(std::string_view kind,
                                 const digest &key) const {
  return std::string(kind) + "-" + key.text();
}

bool artifact_store::contains(std::string_view kind, const digest &key) const {
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::exists(directory_ + "/" + stem(kind, key) + ".json",
                                 ignored);
}

found_artifact artifact_store::open(const std::string &path) const {
  found_artifact out{load_manifest(path), {}};
  if (out.about.file.empty())
    throw error(error_code::corrupt_data, "names no file", path, "file");
  const auto file = directory_ + "/" + out.about.file;
  out.bytes = mapped_file::open(file);
  const auto size = out.bytes.bytes().size();
  if (size != out.about.size)
    throw error(error_code::corrupt_data,
                "has " + std::to_string(size) + " bytes, its manifest says " +
                    std::to_string(out.about.size),
                file);
  const auto found = digest_of_file(out.bytes, memo_).text();
  if (found != out.about.digest)
    throw error(error_code::corrupt_data,
                "has the digest " + found + ", its manifest says " +
                    out.about.digest,
                file);
  return out;
}

std::optional<found_artifact> artifact_store::find(std::string_view kind,
                                                   const digest &key) const {
  if (!contains(kind, key))
    return std::nullopt;
  const auto path = directory_ + "/" + stem(kind, key) + ".json";
  if (how_ == policy::cache)
    space_->hold(path);
  try {
    return open(path);
  } catch (const error &e) {
    if (how_ == policy::fixed)
      throw;
    log::warn("{}; made again", e.describe());
    return std::nullopt;
  }
}

void artifact_store::keep(manifest about, const digest &key,
                          std::span<const std::byte> bytes) const {
  try {
    make_directories(directory_);
    remove_abandoned_artifacts(directory_);
    const reserved_space room(*space_, bytes.size());
    if (how_ == policy::cache &&
        !(room && disk_has_room(directory_, bytes.size()))) {
      log::warn("{}: no room to keep {} bytes of {}", directory_, bytes.size(),
                about.kind);
      return;
    }
    write(std::move(about), key, bytes);
  } catch (const error &e) {
    if (how_ == policy::fixed)
      throw;
    log::warn("cannot keep an artefact: {}", e.describe());
  }
}

void artifact_store::write(manifest about, const digest &key,
                           std::span<const std::byte> bytes) const {
  const std::string name = stem(about.kind, key);
  about.file = name + extension_of(about.kind);
  about.size = bytes.size();
  const digest d = digest_of(bytes);
  about.digest = d.text();
  const std::string path = directory_ + "/" + about.file;
  write_atomically(path, bytes);
  const std::string manifest = directory_ + "/" + name + ".json";
  write_atomically(manifest, write_manifest(about));
  if (how_ == policy::cache)
    space_->hold(manifest);
  if (bytes.size() > small_file) // the next start need not read it
    memo_.remember({&mapped_file::open(path).identity(), 1}, d);
}

} // namespace ganglion::runtime

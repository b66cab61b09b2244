#include "runtime/artifacts/digest_memo.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/artifacts/cache_space.hpp"
#include "runtime/artifacts/manifest.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

#include <algorithm>
#include <chrono>

namespace ganglion::runtime {

namespace {

/// File systems stamp changes with a clock that ticks every 10 ms at worst.
constexpr std::int64_t moments = 100'000'000;

bool just_changed(std::span<const file_identity> files) {
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  return std::ranges::any_of(
      files, [&](const file_identity &f) { return now - f.changed < moments; });
}

digest state_of(std::span<const file_identity> files) {
  digest_builder b;
  for (const auto &f : files)
    b.add(static_cast<std::int64_t>(f.device))
        .add(static_cast<std::int64_t>(f.inode))
        .add(static_cast<std::int64_t>(f.size))
        .add(f.modified)
        .add(f.changed);
  return b.finish();
}

std::optional<digest> digest_from(const std::string &text) {
  digest out;
  if (text.size() != 32 ||
      text.find_first_not_of("0123456789abcdef") != text.npos)
    return std::nullopt;
  for (std::size_t i = 0; i < out.words.size(); ++i)
    out.words[i] = std::stoull(text.substr(16 * i, 16), nullptr, 16);
  return out;
}

} // namespace

std::string digest_memo::path_of(std::span<const file_identity> files) const {
  return directory_ + "/digest-" + state_of(files).text() + ".json";
}

digest digest_memo::get(std::span<const file_identity> files,
                        const std::function<digest()> &compute) const {
  if (const auto known = find(files))
    return *known;
  const bool doubtful = just_changed(files);
  const digest d = compute();
  if (!doubtful)
    remember(files, d);
  return d;
}

std::optional<digest>
digest_memo::find(std::span<const file_identity> files) const {
  try {
    const auto path = path_of(files);
    const auto m = load_manifest(path);
    mark_used(path);
    return m.kind == "digest" ? digest_from(m.digest) : std::nullopt;
  } catch (const error &) {
    return std::nullopt; // absent or damaged: the files are read again
  }
}

void digest_memo::remember(std::span<const file_identity> files,
                           const digest &d) const {
  try {
    make_directories(directory_);
    write_atomically(path_of(files),
                     write_manifest({"digest", {}, "", 0, d.text()}));
  } catch (const error &e) {
    log::debug("cannot remember a digest: {}", e.describe());
  }
}

} // namespace ganglion::runtime

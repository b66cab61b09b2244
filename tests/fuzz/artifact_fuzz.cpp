// Arbitrary bytes as packed weights in a directory of artefacts: a line for
// the manifest, completed by its checksum, then the file it speaks of. $FILE,
// $MANIFEST and $DIGEST in the line stand for what is true of that file. A
// cache takes what is whole and makes the rest again; a named directory refuses
// it.
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/artifacts/artifact_set.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

using policy = runtime::artifact_store::policy;

const runtime::digest layout = runtime::digest_of("layout");
const runtime::digest content = runtime::digest_of("content");

/// The stem that packed weights of this layout and content have.
std::string stem_in(const std::string &directory) {
  const runtime::artifact_set set({{directory, policy::cache}}, content);
  set.keep_weights(layout, {}, {});
  for (const auto &entry : std::filesystem::directory_iterator(directory))
    if (const auto path = entry.path().string(); path.ends_with(".json"))
      return path.substr(0, path.size() - 5);
  std::abort();
}

void replace(std::string &text, const std::string &word,
             const std::string &with) {
  if (const auto at = text.find(word); at != text.npos)
    text.replace(at, word.size(), with);
}

/// Whether an artefact was taken; if so it is what the file holds.
bool taken(const std::string &directory, policy how, const std::string &bytes) {
  const runtime::artifact_set set({{directory, how}}, content);
  const auto found = set.weights(layout, bytes.size());
  if (!found)
    return false;
  const auto got = found->bytes();
  if (!std::ranges::equal(got, std::as_bytes(std::span(bytes))))
    std::abort();
  return true;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  static const testing::scratch_directory directory;
  static const std::string stem = [] {
    log::configure("off");
    return stem_in(directory.path());
  }();
  const std::string input(reinterpret_cast<const char *>(data), size);
  const auto line = input.find('\n');
  const std::string bytes =
      line == input.npos ? std::string() : input.substr(line + 1);
  const auto name = stem.substr(directory.path().size() + 1);
  std::string body = input.substr(0, line);
  replace(body, "$FILE", name + ".weights");
  replace(body, "$MANIFEST", name + ".json");
  replace(body, "$DIGEST", runtime::digest_of(bytes).text());
  std::ofstream(stem + ".json", std::ios::binary) << runtime::sealed(body);
  std::ofstream(stem + ".weights", std::ios::binary) << bytes;
  const bool in_cache = taken(directory.path(), policy::cache, bytes);
  try {
    if (taken(directory.path(), policy::fixed, bytes) != in_cache)
      std::abort();
  } catch (const error &e) {
    if (in_cache || (e.code() != error_code::corrupt_data &&
                     e.code() != error_code::unsupported &&
                     e.code() != error_code::not_found))
      std::abort();
  }
  return 0;
}

#include "apps/sources/locate_model.hpp"

#include "apps/sources/archive.hpp"
#include "apps/sources/hub_source.hpp"
#include "apps/sources/s3_source.hpp"
#include "hlo/support/error.hpp"
#include "runtime/artifacts/digest.hpp"

#include <filesystem>

#include <sys/stat.h>

namespace ganglion::apps {

namespace {

namespace fs = std::filesystem;

/// The last part of a path or URL, without an archive's ending.
std::string last_part(std::string_view text) {
  while (text.ends_with('/'))
    text.remove_suffix(1);
  return std::string(
      without_archive_ending(text.substr(text.find_last_of('/') + 1)));
}

/// Some archives have everything in a folder of their own.
std::string root_of(const std::string &directory) {
  std::string only;
  for (const auto &entry : fs::directory_iterator(directory)) {
    if (!entry.is_directory() || !only.empty())
      return directory;
    only = entry.path().string();
  }
  return only.empty() ? directory : only;
}

/// Unpacked once for each state of the file.
std::string unpacked(const std::string &archive,
                     const source_options &options) {
  struct stat about {};
  if (::stat(archive.c_str(), &about) != 0)
    throw error(error_code::not_found, "cannot be read", archive, "model_id");
  runtime::digest_builder state;
  state.add(fs::absolute(archive).string())
      .add(static_cast<std::int64_t>(about.st_size))
      .add(static_cast<std::int64_t>(about.st_mtim.tv_sec))
      .add(static_cast<std::int64_t>(about.st_mtim.tv_nsec));
  const auto place =
      options.download_dir + "/archives/" + state.finish().text();
  if (!fs::is_directory(place)) {
    if (options.observer)
      options.observer({"unpack " + archive, 0});
    unpack_archive(archive, place, {.bytes = options.model_size_limit});
  }
  return root_of(place);
}

/// Who meant a directory learns that it is not there.
std::string from_hub(const std::string &id, const source_options &options) {
  try {
    return fetch_from_hub(id, options);
  } catch (const error &e) {
    throw error(e.code(),
                std::string(e.what()) + "; and '" + id +
                    "' is no directory here",
                e.where(), e.field());
  }
}

} // namespace

runtime::located_model locate_model(const std::string &model,
                                    const source_options &options) {
  if (is_s3_url(model)) {
    const auto place = fetch_from_s3(model, options);
    return {is_archive_name(place) ? unpacked(place, options) : place,
            last_part(model)};
  }
  if (model.find("://") != std::string::npos)
    throw error(error_code::unsupported,
                "'" + model +
                    "' is no source of models; accepted: a directory, an "
                    "archive, s3://BUCKET/PREFIX or an id of the hub",
                {}, "model_id");
  std::error_code ignored; // what cannot be seen is not there
  if (fs::is_regular_file(model, ignored) && is_archive_name(model))
    return {unpacked(model, options), last_part(model)};
  if (fs::exists(model, ignored) || !is_hub_id(model))
    return {model, {}};
  return {from_hub(model, options), model};
}

} // namespace ganglion::apps

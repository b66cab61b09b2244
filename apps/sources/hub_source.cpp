#include "apps/sources/hub_source.hpp"

#include "actors/load_progress.hpp"
#include "apps/sources/download.hpp"
#include "apps/sources/hub_cache.hpp"
#include "hlo/support/error.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"
#include "runtime/json/reader.hpp"

#include <algorithm>
#include <vector>

namespace ganglion::apps {

namespace {

struct hub_file {
  std::string name;
  std::uint64_t size = 0;
  checksum expected;
};

bool ends_as(const std::string &name,
             std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(
      endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// Config, tokenizer and templates.
bool is_text_part(const std::string &name) {
  return ends_as(name, {".json", ".model", ".txt", ".jinja", ".tiktoken"});
}

std::uint64_t bytes_of(const json::value &file) {
  const auto size = file.get_int("size", -1);
  if (size < 0)
    throw error(error_code::corrupt_data, "a file without a size", file.where(),
                file.path());
  return static_cast<std::uint64_t>(size);
}

hub_file file_of(const json::value &entry) {
  hub_file out;
  out.name = entry.at("rfilename").as_string();
  out.size = bytes_of(entry);
  if (const auto stored = entry.find("lfs")) {
    out.size = bytes_of(*stored);
    out.expected = {checksum::method::sha256, stored->at("sha256").as_string()};
  } else {
    out.expected = {checksum::method::git_blob, entry.at("blobId").as_string()};
  }
  const auto &digits = out.expected.digits;
  if (digits.empty() ||
      digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw error(error_code::corrupt_data,
                "a file with the checksum '" + digits + "'", entry.where(),
                entry.path());
  return out;
}

/// What a model needs of its repository. Files in folders are other forms of
/// the same weights.
std::vector<hub_file> needed(const json::value &info) {
  std::vector<hub_file> all, out;
  bool safe = false;
  for (const auto &entry : info.at("siblings").items()) {
    const auto name = entry.at("rfilename").as_string();
    const bool weights =
        name.ends_with(".safetensors") ||
        (name.starts_with("pytorch_model") && name.ends_with(".bin"));
    if (!runtime::is_plain_file_name(name) ||
        name.starts_with("consolidated") || (!weights && !is_text_part(name)))
      continue;
    safe = safe || name.ends_with(".safetensors");
    all.push_back(file_of(entry));
  }
  std::ranges::copy_if(all, std::back_inserter(out), [&](const auto &file) {
    return !safe || !file.name.ends_with(".bin");
  });
  return out;
}

std::uint64_t total_of(const std::vector<hub_file> &files) {
  std::uint64_t out = 0;
  for (const auto &file : files)
    out += file.size;
  return out;
}

class hub {
public:
  hub(const std::string &id, const source_options &options)
      : id_(id),
        options_(options),
        cache_(options.hub.cache, id) {}

  std::string fetch() {
    const auto text = fetch_document(
        client_,
        {address("/api/models/" + id_ + "/revision/" +
                 percent_encoded(options_.hub.revision, false) + "?blobs=true"),
         headers()},
        "model '" + id_ + "' of " + options_.hub.endpoint);
    const auto info = json::document::parse(text, id_);
    const auto commit = info.root().at("sha").as_string();
    const auto files = needed(info.root());
    check_size(files);
    actors::load_progress_meter meter(options_.observer, "download " + id_,
                                      total_of(files));
    for (const auto &file : files)
      fetch(file, commit, meter);
    return cache_.finish(options_.hub.revision, commit);
  }

private:
  void fetch(const hub_file &file, const std::string &commit,
             actors::load_progress_meter &meter) {
    fetch_file(client_,
               {.url = address("/" + id_ + "/resolve/" + commit + "/" +
                               percent_encoded(file.name, false)),
                .headers = [this] { return headers(); },
                .to = cache_.blob(file.expected.digits),
                .size = file.size,
                .version = "part",
                .expected = file.expected},
               {.pause = options_.pause,
                .progress = [&](std::size_t bytes) { meter.add(bytes); }});
    cache_.link(commit, file.name, file.expected.digits);
  }

  void check_size(const std::vector<hub_file> &files) const {
    if (const auto total = total_of(files); total > options_.model_size_limit)
      throw error(error_code::invalid_argument,
                  "has " + std::to_string(total) +
                      " bytes, more than model_size_limit",
                  id_, "model_size_limit");
  }

  std::string address(const std::string &path) const {
    return options_.hub.endpoint + path;
  }

  std::map<std::string, std::string> headers() const {
    const auto &token = options_.hub.token;
    if (token.empty())
      return {};
    return {{"Authorization", "Bearer " + token}};
  }

  std::string id_;
  const source_options &options_;
  hub_cache cache_;
  web_client client_;
};

} // namespace

bool is_hub_id(std::string_view text) {
  const auto is_part = [](std::string_view part) {
    return runtime::is_plain_file_name(part) && part.front() != '.' &&
           std::ranges::all_of(part, [](unsigned char c) {
             return std::isalnum(c) || c == '-' || c == '_' || c == '.';
           });
  };
  const auto slash = text.find('/');
  if (slash == std::string_view::npos)
    return is_part(text);
  return is_part(text.substr(0, slash)) && is_part(text.substr(slash + 1));
}

std::string fetch_from_hub(const std::string &id,
                           const source_options &options) {
  if (options.hub.offline)
    return hub_cache(options.hub.cache, id).snapshot_of(options.hub.revision);
  return hub(id, options).fetch();
}

} // namespace ganglion::apps

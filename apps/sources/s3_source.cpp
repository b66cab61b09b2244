#include "apps/sources/s3_source.hpp"

#include "actors/load_progress.hpp"
#include "apps/sources/archive.hpp"
#include "apps/sources/download.hpp"
#include "apps/sources/s3_listing.hpp"
#include "hlo/support/error.hpp"
#include "runtime/artifacts/digest.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"

#include <chrono>
#include <ctime>
#include <filesystem>

namespace ganglion::apps {

namespace {

constexpr std::string_view scheme = "s3://";

/// UTC as signatures write it.
std::string signing_time() {
  const std::time_t now =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

/// The only part of an ETag that may stand in a file's name.
std::string version_of(const s3_object &object) {
  std::string out;
  for (const char c : object.etag)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-')
      out += c;
  return out;
}

/// The ETag is the MD5 of objects that were sent in one piece.
checksum checksum_of(const s3_object &object) {
  const auto &tag = object.etag;
  constexpr std::string_view digits = "0123456789abcdef";
  return tag.size() == 32 && tag.find_first_not_of(digits) == std::string::npos
             ? checksum{checksum::method::md5, tag}
             : checksum{};
}

class bucket {
public:
  bucket(const std::string &url, const source_options &options)
      : url_(url),
        options_(options) {
    const auto rest = url.substr(scheme.size());
    const auto slash = rest.find('/');
    name_ = rest.substr(0, slash);
    if (slash != std::string::npos)
      prefix_ = rest.substr(slash + 1);
    if (name_.empty() || name_.find_first_of("/?#@:") != std::string::npos)
      throw error(error_code::invalid_argument,
                  "'" + url + "' names no bucket; expected s3://BUCKET/PREFIX",
                  {}, "model_id");
  }

  std::string fetch() {
    const bool archive = is_archive_name(prefix_);
    if (!archive && !prefix_.empty() && !prefix_.ends_with('/'))
      prefix_ += '/';
    const auto objects = list();
    const auto place = place_of(objects);
    actors::load_progress_meter meter(options_.observer, "download " + url_,
                                      total_of(objects));
    for (const auto &object : objects)
      fetch(object, place + "/" + name_in_place(object, archive), meter);
    return archive ? place + "/" + name_in_place(objects.front(), archive)
                   : place;
  }

private:
  /// All objects but those that stand for folders.
  std::vector<s3_object> list() {
    std::vector<s3_object> out;
    std::string token;
    do {
      std::string query;
      if (!token.empty())
        query = "continuation-token=" + percent_encoded(token, false) + "&";
      query += "list-type=2&prefix=" + percent_encoded(prefix_, false);
      auto page = parse_s3_listing(
          fetch_document(client_, request({}, query), url_), url_);
      for (auto &object : page.objects)
        if (!object.key.ends_with('/'))
          out.push_back(std::move(object));
      token = page.next;
    } while (!token.empty());
    if (out.empty())
      throw error(error_code::not_found, "nothing lies there", url_,
                  "model_id");
    if (total_of(out) > options_.model_size_limit)
      throw error(error_code::invalid_argument,
                  "has " + std::to_string(total_of(out)) +
                      " bytes, more than model_size_limit",
                  url_, "model_size_limit");
    return out;
  }

  static std::uint64_t total_of(const std::vector<s3_object> &objects) {
    std::uint64_t out = 0;
    for (const auto &object : objects)
      out += object.size;
    return out;
  }

  /// A directory for these objects as they are now.
  std::string place_of(const std::vector<s3_object> &objects) const {
    runtime::digest_builder state;
    state.add(options_.s3.endpoint).add(url_);
    for (const auto &object : objects)
      state.add(object.key).add(object.etag);
    return options_.download_dir + "/s3/" + name_ + "/" + state.finish().text();
  }

  /// The key below the prefix, which must not lead out of the place.
  std::string name_in_place(const s3_object &object, bool archive) const {
    const auto cut = archive ? prefix_.rfind('/') + 1 : prefix_.size();
    const auto name = object.key.substr(std::min(cut, object.key.size()));
    for (std::string_view rest = name; !rest.empty();) {
      const auto end = std::min(rest.find('/'), rest.size());
      if (!runtime::is_plain_file_name(rest.substr(0, end)))
        throw error(error_code::corrupt_data,
                    "the key '" + object.key + "' leads out of the prefix",
                    url_);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return name;
  }

  void fetch(const s3_object &object, const std::string &to,
             actors::load_progress_meter &meter) {
    const auto where = request(object.key, {});
    fetch_file(client_,
               {.url = where.url,
                .headers =
                    [&] {
                      auto out = request(object.key, {}).headers;
                      if (!object.etag.empty())
                        out["if-match"] = "\"" + object.etag + "\"";
                      return out;
                    },
                .to = to,
                .size = object.size,
                .version = version_of(object),
                .expected = checksum_of(object)},
               {.pause = options_.pause,
                .progress = [&](std::size_t bytes) { meter.add(bytes); }});
  }

  /// AWS has a host for each bucket, others a folder.
  web_request request(const std::string &key, const std::string &query) const {
    const auto &s3 = options_.s3;
    aws_request out;
    out.path = "/" + percent_encoded(key, true);
    out.query = query;
    std::string base = s3.endpoint;
    if (base.empty())
      base = "https://" + name_ + ".s3." + s3.region + ".amazonaws.com";
    else
      out.path = "/" + percent_encoded(name_, false) + out.path;
    out.host = base.substr(base.find("://") + 3);
    web_request all{base + out.path + (query.empty() ? "" : "?" + query)};
    if (s3.credentials)
      all.headers =
          signed_headers(out, *s3.credentials, s3.region, signing_time());
    return all;
  }

  std::string url_, name_, prefix_;
  const source_options &options_;
  web_client client_;
};

} // namespace

bool is_s3_url(std::string_view text) { return text.starts_with(scheme); }

std::string fetch_from_s3(const std::string &url,
                          const source_options &options) {
  return bucket(url, options).fetch();
}

} // namespace ganglion::apps

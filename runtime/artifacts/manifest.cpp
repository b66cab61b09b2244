#include "runtime/artifacts/manifest.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::runtime {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 24;
/// Everything before it is what the checksum covers.
constexpr std::string_view checksum_mark = ", \"checksum\": \"";
constexpr std::string_view end_mark = "\"}\n";
constexpr std::size_t digest_digits = 32;

[[noreturn]] void corrupt(const std::string &message,
                          const std::string &where) {
  throw error(error_code::corrupt_data, message, where);
}

/// The text that the checksum at its end is right for.
std::string_view checked_body(std::string_view text, const std::string &where) {
  constexpr auto tail = checksum_mark.size() + digest_digits + end_mark.size();
  if (text.size() > max_bytes)
    corrupt("larger than a manifest may be", where);
  if (text.size() <= tail)
    corrupt("too short for a manifest", where);
  const auto body = text.substr(0, text.size() - tail);
  const auto mark = text.substr(body.size(), checksum_mark.size());
  const auto found =
      text.substr(body.size() + checksum_mark.size(), digest_digits);
  if (mark != checksum_mark || !text.ends_with(end_mark))
    corrupt("does not end in a checksum (is it truncated?)", where);
  if (const auto wanted = digest_of(body).text(); found != wanted)
    corrupt("its checksum is " + json::quote(found) + ", its bytes give " +
                wanted,
            where);
  return body;
}

manifest read_members(const json::value &root, const std::string &where) {
  if (const auto found = root.at("format").as_int(); found != manifest::format)
    throw error(error_code::unsupported,
                "is " + std::to_string(found) + ", this program reads " +
                    std::to_string(manifest::format),
                where, "format");
  manifest out;
  out.kind = root.at("kind").as_string();
  for (const auto &[name, value] : root.at("fields").members())
    out.fields.push_back({name, value.as_string()});
  out.file = root.at("file").as_string();
  const auto size = root.at("size").as_int();
  out.digest = root.at("digest").as_string();
  if (size < 0 || (!out.file.empty() && !is_plain_file_name(out.file)))
    corrupt("names no file beside it, or an impossible size", where);
  out.size = static_cast<std::uint64_t>(size);
  return out;
}

} // namespace

const std::string *manifest::find(std::string_view name) const {
  for (const auto &field : fields)
    if (field.name == name)
      return &field.value;
  return nullptr;
}

std::string write_manifest(const manifest &m) {
  json::writer w;
  w.begin_object();
  w.key("format").integer(manifest::format);
  w.key("kind").string(m.kind);
  w.key("fields").begin_object();
  for (const auto &[name, value] : m.fields)
    w.key(name).string(value);
  w.end_object();
  w.key("file").string(m.file);
  w.key("size").integer(static_cast<std::int64_t>(m.size));
  w.key("digest").string(m.digest);
  return sealed(w.text());
}

std::string sealed(std::string body) {
  const auto checksum = digest_of(body).text();
  body += checksum_mark;
  body += checksum;
  body += end_mark;
  return body;
}

manifest parse_manifest(std::string_view text, const std::string &where) {
  checked_body(text, where);
  try {
    const auto document = json::document::parse(text, where);
    return read_members(document.root(), where);
  } catch (const error &e) {
    if (e.code() == error_code::unsupported)
      throw;
    throw error(error_code::corrupt_data, e.what(), where, e.field());
  }
}

manifest load_manifest(const std::string &path) {
  const auto file = mapped_file::open(path);
  const auto bytes = file.bytes();
  return parse_manifest(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path);
}

} // namespace ganglion::runtime

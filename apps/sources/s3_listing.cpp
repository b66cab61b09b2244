#include "apps/sources/s3_listing.hpp"

#include "hlo/support/error.hpp"

#include <charconv>
#include <optional>

namespace ganglion::apps {

namespace {

/// The text between the next <name> and </name> of `xml`, which is then taken
/// away.
std::optional<std::string_view> take_element(std::string_view &xml,
                                             std::string_view name) {
  const auto opening = "<" + std::string(name) + ">";
  const auto closing = "</" + std::string(name) + ">";
  const auto begin = xml.find(opening);
  if (begin == std::string_view::npos)
    return std::nullopt;
  const auto inside = begin + opening.size();
  const auto end = xml.find(closing, inside);
  if (end == std::string_view::npos)
    return std::nullopt;
  const auto out = xml.substr(inside, end - inside);
  xml.remove_prefix(end + closing.size());
  return out;
}

std::string_view element_in(std::string_view xml, std::string_view name,
                            const std::string &where) {
  const auto found = take_element(xml, name);
  if (!found)
    throw error(error_code::corrupt_data,
                "no element " + std::string(name) + " in a listing", where);
  return *found;
}

/// Character references resolved.
std::string text_of(std::string_view xml) {
  struct entity {
    std::string_view name;
    char meaning;
  };
  constexpr entity entities[] = {
      {"&amp;", '&'},   {"&lt;", '<'},  {"&gt;", '>'},  {"&quot;", '"'},
      {"&apos;", '\''}, {"&#34;", '"'}, {"&#39;", '\''}};
  std::string out;
  while (!xml.empty()) {
    std::size_t length = 1;
    char c = xml.front();
    for (const auto &[name, meaning] : entities)
      if (xml.starts_with(name)) {
        length = name.size();
        c = meaning;
      }
    out += c;
    xml.remove_prefix(length);
  }
  return out;
}

s3_object object_of(std::string_view xml, const std::string &where) {
  s3_object out;
  out.key = text_of(element_in(xml, "Key", where));
  const auto size = element_in(xml, "Size", where);
  const auto end = size.data() + size.size();
  const auto [next, failed] = std::from_chars(size.data(), end, out.size);
  if (failed != std::errc() || next != end)
    throw error(error_code::corrupt_data,
                "'" + std::string(size) + "' as the size of " + out.key, where);
  for (const char c : text_of(element_in(xml, "ETag", where)))
    if (c != '"')
      out.etag += c;
  return out;
}

} // namespace

s3_listing parse_s3_listing(std::string_view xml, const std::string &where) {
  s3_listing out;
  const bool more = element_in(xml, "IsTruncated", where) == "true";
  if (more)
    out.next = text_of(element_in(xml, "NextContinuationToken", where));
  while (const auto item = take_element(xml, "Contents"))
    out.objects.push_back(object_of(*item, where));
  return out;
}

} // namespace ganglion::apps

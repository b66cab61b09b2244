#include "runtime/tokenizer/precompiled_charsmap.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

namespace {

// Clusters of this many bytes or more are not looked up as a whole.
constexpr std::size_t longest_cluster = 6;

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::optional<std::string> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=')
    text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0)
      return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>(bits >> held & 0xFF);
    }
  }
  return out;
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 4; i-- > 0;)
    out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

// The fields of one unit of the double array.
bool has_leaf(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFFFFFF; }
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x800000FF; }
std::uint32_t offset_of(std::uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200) >> 6);
}

} // namespace

precompiled_charsmap precompiled_charsmap::from_base64(
    std::string_view text, const std::string &where, const std::string &field) {
  const auto bytes = decode_base64(text);
  if (!bytes)
    throw error(error_code::corrupt_data, "not base64", where, field);
  const std::size_t size = bytes->size() >= 4 ? read_u32(*bytes, 0) : 0;
  if (size == 0 || size % 4 != 0 || size > bytes->size() - 4)
    throw error(error_code::corrupt_data,
                "the trie must fill a whole number of words inside the " +
                    std::to_string(bytes->size()) + " bytes given",
                where, field);
  precompiled_charsmap out;
  for (std::size_t at = 4; at < 4 + size; at += 4)
    out.trie_.push_back(read_u32(*bytes, at));
  out.replacements_ = bytes->substr(4 + size);
  if (!is_utf8(out.replacements_))
    throw error(error_code::corrupt_data, "the replacements are not UTF-8",
                where, field);
  return out;
}

// The shortest entry that `part` starts with, as HuggingFace looks it up.
std::optional<std::string_view>
precompiled_charsmap::find(std::string_view part) const {
  std::size_t node = offset_of(trie_[0]);
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    node ^= byte;
    if (byte == 0 || node >= trie_.size() || label_of(trie_[node]) != byte)
      return std::nullopt;
    const auto unit = trie_[node];
    node ^= offset_of(unit);
    if (!has_leaf(unit))
      continue;
    const auto at =
        node < trie_.size() ? value_of(trie_[node]) : replacements_.size();
    if (at >= replacements_.size())
      return std::nullopt;
    const auto end = replacements_.find('\0', at);
    return std::string_view(replacements_).substr(at, end - at);
  }
  return std::nullopt;
}

std::string precompiled_charsmap::apply(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  std::size_t begin = 0;
  for (const auto end : grapheme_ends(text)) {
    const auto cluster = text.substr(begin, end - begin);
    begin = end;
    const auto whole = cluster.size() < longest_cluster
                           ? find(cluster)
                           : std::optional<std::string_view>();
    if (whole) {
      out += *whole;
      continue;
    }
    for (std::size_t i = 0; i < cluster.size();) {
      const auto part = cluster.substr(i, utf8_length(cluster[i]));
      out += find(part).value_or(part);
      i += part.size();
    }
  }
  return out;
}

} // namespace ganglion::runtime

#include "runtime/chat/splitting.hpp"

#include "runtime/chat/binding.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

using parts = std::vector<std::string_view>;

value as_list(rendering &run, const parts &all,
              sequence_kind kind = sequence_kind::list) {
  std::vector<value> out;
  for (const auto part : all)
    out.push_back(run.text(std::string(part)));
  return run.list(std::move(out), kind);
}

// Where each `separator` starts, from the left or, overlapping ones decided
// from there, from the right.
std::vector<std::size_t>
places_of(std::string_view s, std::string_view separator, bool from_right) {
  std::vector<std::size_t> out;
  if (!from_right) {
    for (auto at = find_text(s, separator); at != s.npos;
         at = find_text(s, separator, at + separator.size()))
      out.push_back(at);
    return out;
  }
  const std::string back(s.rbegin(), s.rend()),
      mirrored(separator.rbegin(), separator.rend());
  for (const auto at : places_of(back, mirrored, false))
    out.push_back(s.size() - at - separator.size());
  return out;
}

parts split_at(std::string_view s, std::string_view separator,
               std::int64_t most, bool from_right) {
  auto places = places_of(s, separator, from_right);
  if (most >= 0 && places.size() > static_cast<std::size_t>(most))
    places.resize(static_cast<std::size_t>(most));
  std::ranges::sort(places);
  parts out;
  std::size_t from = 0;
  for (const auto place : places) {
    out.push_back(s.substr(from, place - from));
    from = place + separator.size();
  }
  out.push_back(s.substr(from));
  return out;
}

parts split_at_white(std::string_view s, std::int64_t most) {
  parts out;
  for (s = strip_left(s); !s.empty(); s = strip_left(s)) {
    if (most >= 0 && out.size() == static_cast<std::size_t>(most)) {
      out.push_back(s);
      break;
    }
    std::size_t length = 0;
    while (length < s.size()) {
      const auto step = next_code_point(s.substr(length));
      if (is_white(step.value))
        break;
      length += step.length;
    }
    out.push_back(s.substr(0, length));
    s.remove_prefix(length);
  }
  return out;
}

parts split_at_white_from_right(std::string_view s, std::int64_t most) {
  auto out = split_at_white(s, -1);
  if (most < 0 || out.size() <= static_cast<std::size_t>(most))
    return out;
  const auto kept = out.size() - static_cast<std::size_t>(most);
  s = strip_right(strip_left(s));
  if (most > 0)
    s = strip_right(
        s.substr(0, static_cast<std::size_t>(out[kept].data() - s.data())));
  out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept));
  out.insert(out.begin(), s);
  return out;
}

value split_either(rendering &run, const std::string &s, const arguments &given,
                   bool from_right) {
  const binding args(run, "split", given, {"sep", "maxsplit"});
  const auto most = args.whole(1, -1);
  run.step(s.size());
  if (!args.has(0) || args.required(0).is_none())
    return as_list(run, from_right ? split_at_white_from_right(s, most)
                                   : split_at_white(s, most));
  const auto separator = args.text(0, "");
  if (separator.empty())
    run.fail(failure::value, "empty separator");
  return as_list(run, split_at(s, separator, most, from_right));
}

value partition_either(rendering &run, const std::string &s,
                       const arguments &given, bool from_right) {
  const binding args(run, "partition", given, {"sep"});
  args.required(0);
  const auto separator = args.text(0, "");
  if (separator.empty())
    run.fail(failure::value, "empty separator");
  run.step(s.size());
  auto out = split_at(s, separator, 1, from_right);
  if (out.size() == 2)
    out.insert(out.begin() + 1, separator);
  else if (from_right)
    out.insert(out.begin(), 2, std::string_view());
  else
    out.resize(3);
  return as_list(run, out, sequence_kind::tuple);
}

} // namespace

value split(rendering &run, const std::string &s, const arguments &given) {
  return split_either(run, s, given, false);
}

value reverse_split(rendering &run, const std::string &s,
                    const arguments &given) {
  return split_either(run, s, given, true);
}

value partition(rendering &run, const std::string &s, const arguments &given) {
  return partition_either(run, s, given, false);
}

value reverse_partition(rendering &run, const std::string &s,
                        const arguments &given) {
  return partition_either(run, s, given, true);
}

value split_lines(rendering &run, const std::string &s,
                  const arguments &given) {
  const binding args(run, "splitlines", given, {"keepends"});
  const bool keep = args.flag(0, false);
  parts out;
  run.step(s.size());
  const std::string_view all = s;
  std::size_t from = 0;
  for (std::size_t at = 0; at < all.size();) {
    const auto step = next_code_point(all.substr(at));
    const auto c = step.value;
    const bool ends = (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) ||
                      c == 0x85 || c == 0x2028 || c == 0x2029;
    const auto length = all.substr(at, 2) == "\r\n" ? 2 : step.length;
    if (ends) {
      out.push_back(all.substr(from, at - from + (keep ? length : 0)));
      from = at + length;
    }
    at += ends ? length : step.length;
  }
  if (from < all.size())
    out.push_back(all.substr(from));
  return as_list(run, out);
}

value reverse_find(rendering &run, const std::string &s,
                   const arguments &given) {
  const binding args(run, "rfind", given, {"sub"});
  args.required(0);
  const auto part = args.text(0, "");
  const std::string back(s.rbegin(), s.rend()),
      mirrored(part.rbegin(), part.rend());
  const auto found = find_text(back, mirrored);
  if (found == back.npos)
    return -1;
  return count_characters(
      std::string_view(s).substr(0, s.size() - found - part.size()));
}

value reverse_index(rendering &run, const std::string &s,
                    const arguments &given) {
  auto out = reverse_find(run, s, given);
  if (out.as_integer() < 0)
    run.fail(failure::value, "substring not found");
  return out;
}

std::string replaced(rendering &run, std::string_view s, std::string_view old,
                     std::string_view with, std::int64_t count) {
  run.scan(s.size());
  std::string out;
  std::size_t from = 0;
  for (std::int64_t done = 0; count < 0 || done < count; ++done) {
    if (old.empty() && from > s.size())
      break;
    const auto at = find_text(s, old, from);
    if (at == s.npos)
      break;
    run.step();
    run.emit(out, s.substr(from, at - from));
    run.emit(out, with);
    from = at + old.size();
    if (!old.empty())
      continue;
    // between all characters, and at both ends
    const auto length = from < s.size() ? utf8_length(s[from]) : 1;
    run.emit(out, s.substr(from, length));
    from += length;
  }
  if (from < s.size())
    run.emit(out, s.substr(from));
  return out;
}

std::string padded(rendering &run, std::string_view s, std::int64_t width,
                   std::string_view fill, bool left, bool right) {
  if (count_characters(fill) != 1)
    run.fail(failure::type,
             "The fill character must be exactly one character long");
  const auto missing = std::max<std::int64_t>(
      0, width - static_cast<std::int64_t>(count_characters(s)));
  // Python puts the odd one to the left when the width is odd as well.
  const auto before = !left    ? 0
                      : !right ? missing
                               : missing / 2 + (missing & width & 1);
  std::string out;
  for (std::int64_t i = 0; i < before; ++i)
    run.emit(out, fill);
  run.emit(out, s);
  for (std::int64_t i = before; i < missing; ++i)
    run.emit(out, fill);
  return out;
}

bool is_in_case(std::string_view s, bool upper) {
  bool any = false;
  for (const auto c : characters(s)) {
    const auto code = next_code_point(c).value;
    if (upper ? is_lower(code) : is_upper(code))
      return false;
    any |= upper ? is_upper(code) : is_lower(code);
  }
  return any;
}

} // namespace ganglion::runtime::chat

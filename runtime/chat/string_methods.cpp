// str's methods.
#include "runtime/chat/binding.hpp"
#include "runtime/chat/methods.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/printf_format.hpp"
#include "runtime/chat/splitting.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

using text = const std::string &;

template <std::string (*Change)(std::string_view)>
value changed(rendering &run, text s, const arguments &given) {
  const binding none(run, "str method", given, {});
  run.step(s.size());
  return run.text(Change(s));
}

template <bool Left, bool Right>
value strip(rendering &run, text s, const arguments &given) {
  const binding args(run, "strip", given, {"chars"});
  run.step(s.size());
  if (args.has(0) && !args.required(0).is_none())
    return run.text(std::string(strip_set(s, args.text(0, ""), Left, Right)));
  std::string_view out = s;
  if (Left)
    out = strip_left(out);
  if (Right)
    out = strip_right(out);
  return run.text(std::string(out));
}

// startswith and endswith take one text or a tuple of them.
template <bool AtEnd>
value has_end(rendering &run, text s, const arguments &given) {
  const binding args(run, AtEnd ? "endswith" : "startswith", given, {"prefix"});
  const auto &wanted = args.required(0);
  const auto matches = [&](const value &one) {
    require_defined(run, one);
    if (!one.is_string())
      run.fail(failure::type, std::string(AtEnd ? "endswith" : "startswith") +
                                  " first arg must be str or a tuple of str, "
                                  "not " +
                                  type_name(one));
    return AtEnd ? s.ends_with(one.as_string())
                 : s.starts_with(one.as_string());
  };
  if (wanted.is_sequence(sequence_kind::tuple))
    return std::ranges::any_of(wanted.items(), matches);
  return matches(wanted);
}

template <bool AtEnd>
value without_end(rendering &run, text s, const arguments &given) {
  const binding args(run, "remove", given, {"prefix"});
  const auto part = args.text(0, "");
  if (AtEnd && s.ends_with(part))
    return run.text(s.substr(0, s.size() - part.size()));
  if (!AtEnd && s.starts_with(part))
    return run.text(s.substr(part.size()));
  return s;
}

template <bool Throws>
value find(rendering &run, text s, const arguments &given) {
  const binding args(run, "find", given, {"sub", "start", "end"});
  if (!args.required(0).is_string())
    run.fail(failure::type, "must be str, not " + type_name(args.required(0)));
  const auto all = characters(s);
  const auto count = static_cast<std::int64_t>(all.size());
  run.step(all.size());
  const auto place = [&](std::int64_t i) {
    return std::clamp(i < 0 ? i + count : i, std::int64_t{0}, count);
  };
  const auto from = place(args.whole(1, 0)), to = place(args.whole(2, count));
  const auto offset = [&](std::int64_t i) {
    return i == count ? s.size()
                      : static_cast<std::size_t>(
                            all[static_cast<std::size_t>(i)].data() - s.data());
  };
  const auto found = from > to
                         ? std::string::npos
                         : find_text(std::string_view(s).substr(0, offset(to)),
                                     args.text(0, ""), offset(from));
  if (found != std::string::npos)
    return count_characters(std::string_view(s).substr(0, found));
  if (Throws)
    run.fail(failure::value, "substring not found");
  return -1;
}

value count(rendering &run, text s, const arguments &given) {
  const binding args(run, "count", given, {"sub"});
  args.required(0);
  const auto part = args.text(0, "");
  if (part.empty())
    return count_characters(s) + 1;
  std::size_t out = 0;
  for (auto at = find_text(s, part); at != std::string::npos;
       at = find_text(s, part, at + part.size()))
    ++out;
  return out;
}

value replace(rendering &run, text s, const arguments &given) {
  const binding args(run, "replace", given, {"old", "new", "count"});
  args.required(0);
  args.required(1);
  return run.text(
      replaced(run, s, args.text(0, ""), args.text(1, ""), args.whole(2, -1)));
}

value join(rendering &run, text s, const arguments &given) {
  const binding args(run, "join", given, {"iterable"});
  std::string out;
  std::size_t place = 0;
  for (const auto &item : items_of(run, args.required(0))) {
    if (!item.is_string())
      run.fail(failure::type, "sequence item " + std::to_string(place) +
                                  ": expected str instance, " +
                                  type_name(item) + " found");
    if (place++ > 0)
      run.emit(out, s);
    run.emit(out, item.as_string());
  }
  return run.text(std::move(out));
}

value format(rendering &run, text s, const arguments &given) {
  return brace_format(run, s, given);
}

template <bool Left, bool Right>
value pad(rendering &run, text s, const arguments &given) {
  const binding args(run, "just", given, {"width", "fillchar"});
  args.required(0);
  return run.text(
      padded(run, s, args.whole(0, 0), args.text(1, " "), Left, Right));
}

value zfill(rendering &run, text s, const arguments &given) {
  const binding args(run, "zfill", given, {"width"});
  args.required(0);
  const bool sign = s.starts_with('-') || s.starts_with('+');
  const auto digits =
      padded(run, s.substr(sign), args.whole(0, 0) - sign, "0", true, false);
  return run.text(s.substr(0, sign) + digits);
}

// str.title: upper at the start of each run of letters.
value title(rendering &run, text s, const arguments &given) {
  const binding none(run, "title", given, {});
  run.step(s.size());
  std::string out;
  bool inside = false;
  for (const auto c : characters(s)) {
    out += inside ? lower(c) : upper(c);
    inside = is_cased(next_code_point(c).value);
  }
  return run.text(std::move(out));
}

std::string swapped_case(std::string_view s) {
  std::string out;
  for (const auto c : characters(s))
    out += is_upper(next_code_point(c).value) ? lower(c) : upper(c);
  return out;
}

template <bool (*Holds)(char32_t)>
value all_are(rendering &run, text s, const arguments &given) {
  const binding none(run, "str method", given, {});
  run.step(s.size());
  const auto all = characters(s);
  return !all.empty() && std::ranges::all_of(all, [](std::string_view c) {
    return Holds(next_code_point(c).value);
  });
}

template <bool Upper>
value has_case(rendering &run, text s, const arguments &given) {
  const binding none(run, "str method", given, {});
  run.step(s.size());
  return is_in_case(s, Upper);
}

bool is_letter_or_number(char32_t c) { return is_letter(c) || is_numeric(c); }
bool is_ascii(char32_t c) { return c < 0x80; }

value only_ascii(rendering &run, text s, const arguments &given) {
  return s.empty() ? value(true) : all_are<is_ascii>(run, s, given);
}

constexpr std::pair<std::string_view, string_method> methods[] = {
    {"capitalize", changed<capitalized>},
    {"casefold", changed<lower>},
    {"center", pad<true, true>},
    {"count", count},
    {"endswith", has_end<true>},
    {"find", find<false>},
    {"format", format},
    {"index", find<true>},
    {"isalnum", all_are<is_letter_or_number>},
    {"isalpha", all_are<is_letter>},
    {"isascii", only_ascii},
    {"isdecimal", all_are<is_decimal>},
    {"isdigit", all_are<is_decimal>},
    {"islower", has_case<false>},
    {"isnumeric", all_are<is_numeric>},
    {"isspace", all_are<is_white>},
    {"isupper", has_case<true>},
    {"join", join},
    {"ljust", pad<false, true>},
    {"lower", changed<lower>},
    {"lstrip", strip<true, false>},
    {"partition", partition},
    {"removeprefix", without_end<false>},
    {"removesuffix", without_end<true>},
    {"replace", replace},
    {"rfind", reverse_find},
    {"rindex", reverse_index},
    {"rjust", pad<true, false>},
    {"rpartition", reverse_partition},
    {"rsplit", reverse_split},
    {"rstrip", strip<false, true>},
    {"split", split},
    {"splitlines", split_lines},
    {"startswith", has_end<false>},
    {"strip", strip<true, true>},
    {"swapcase", changed<swapped_case>},
    {"title", title},
    {"upper", changed<upper>},
    {"zfill", zfill},
};

} // namespace

string_method find_string_method(std::string_view name) {
  const auto found =
      std::ranges::find(methods, name, [](const auto &m) { return m.first; });
  return found == std::end(methods) ? nullptr : found->second;
}

} // namespace ganglion::runtime::chat

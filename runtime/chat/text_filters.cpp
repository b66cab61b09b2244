// Filters on text, and those that write values as text.
#include "runtime/chat/binding.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/printf_format.hpp"
#include "runtime/chat/splitting.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/tojson.hpp"
#include "runtime/chat/value_text.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime::chat {

namespace {

template <std::string (*Change)(std::string_view)>
value changed(rendering &run, const value &v, const arguments &given) {
  const binding none(run, "filter", given, {});
  const auto text = to_text(run, v);
  run.step(text.size());
  return run.text(Change(text));
}

std::string same(std::string_view text) { return std::string(text); }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '\'':
      out += "&#39;";
      break;
    case '"':
      out += "&#34;";
      break;
    default:
      out += c;
    }
  return out;
}

// Unlike the method: words start after white space, '-' and opening brackets.
std::string titled(std::string_view text) {
  std::string out;
  bool inside = false;
  for (const auto c : characters(text)) {
    out += inside ? lower(c) : upper(c);
    inside = !is_white(next_code_point(c).value) &&
             std::string_view("-({[<").find(c) == std::string_view::npos;
  }
  return out;
}

value trim(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "trim", given, {"chars"});
  const auto text = to_text(run, v);
  run.step(text.size());
  if (args.has(0) && !args.required(0).is_none())
    return run.text(std::string(strip_set(text, args.text(0, ""), true, true)));
  return run.text(std::string(strip_right(strip_left(text))));
}

value replace(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "replace", given, {"old", "new", "count"});
  const bool all = !args.has(2) || args.required(2).is_none();
  return run.text(replaced(run, to_text(run, v), to_text(run, args.required(0)),
                           to_text(run, args.required(1)),
                           all ? -1 : args.whole(2, -1)));
}

value indent(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "indent", given, {"width", "first", "blank"});
  std::string margin;
  if (args.has(0) && args.required(0).is_string())
    margin = args.text(0, "");
  else
    margin = padded(run, "", args.whole(0, 4), " ", false, true);
  const bool first = args.flag(1, false), blank = args.flag(2, false);
  const auto text = to_text(run, v);
  std::string out;
  bool is_first = true;
  for (std::size_t at = 0; at <= text.size(); is_first = false) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    if (is_first ? first : blank || !line.empty())
      run.emit(out, margin);
    run.emit(out, line);
    if (end < text.size())
      run.emit(out, "\n");
    at = end + 1;
  }
  return run.text(std::move(out));
}

value center(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "center", given, {"width"});
  return run.text(
      padded(run, to_text(run, v), args.whole(0, 80), " ", true, true));
}

value format(rendering &run, const value &v, const arguments &given) {
  const auto text = to_text(run, v);
  if (given.named.empty())
    return printf_format(run, text,
                         run.list(given.positional, sequence_kind::tuple));
  std::vector<value::entry> entries;
  for (const auto &[name, item] : given.named)
    entries.emplace_back(name, item);
  return printf_format(run, text, run.dict(std::move(entries)));
}

value word_count(rendering &run, const value &v, const arguments &) {
  std::int64_t count = 0;
  bool inside = false;
  const auto text = to_text(run, v);
  run.step(text.size());
  for (const auto c : characters(text)) {
    const bool word = is_word_character(next_code_point(c).value);
    count += word && !inside;
    inside = word;
  }
  return count;
}

value to_json_filter(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "tojson", given,
                     {"ensure_ascii", "indent", "separators", "sort_keys"});
  json_style style;
  if (args.flag(0, false))
    run.fail(failure::unsupported, "tojson(ensure_ascii=true) is not "
                                   "supported; accepted: false");
  if (const auto wanted = args.get(1, {}); wanted.is_string())
    style.indent = wanted.as_string();
  else if (!wanted.is_none())
    style.indent = padded(run, "", args.whole(1, 0), " ", false, true);
  if (style.indent)
    style.item_separator = ",";
  if (const auto wanted = args.get(2, {}); !wanted.is_none()) {
    const auto both = items_of(run, wanted);
    if (both.size() != 2 || !both[0].is_string() || !both[1].is_string())
      run.fail(failure::value, "separators must be two strings");
    style.item_separator = both[0].as_string();
    style.key_separator = both[1].as_string();
  }
  style.sort_keys = args.flag(3, false);
  return run.text(to_json(run, v, style));
}

constexpr filter_entry all[] = {
    {"capitalize", changed<capitalized>},
    {"center", center},
    {"e", changed<escaped>},
    {"escape", changed<escaped>},
    {"forceescape", changed<escaped>},
    {"format", format},
    {"indent", indent},
    {"lower", changed<lower>},
    {"replace", replace},
    {"safe", changed<same>},
    {"string", changed<same>},
    {"title", changed<titled>},
    {"tojson", to_json_filter},
    {"trim", trim},
    {"upper", changed<upper>},
    {"wordcount", word_count},
};

} // namespace

std::span<const filter_entry> text_filters() { return all; }

} // namespace ganglion::runtime::chat

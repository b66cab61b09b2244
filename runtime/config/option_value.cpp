#include "runtime/config/option_value.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace ganglion::runtime {

namespace {

constexpr std::string_view blanks = " \t\r\n\f";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char &c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The whole of `text` as a number, or nothing.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number out{};
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, out);
  if (result.ec != std::errc() || result.ptr != end)
    return std::nullopt;
  return out;
}

template <class Number>
std::optional<Number> read_bounded(const option_spec &spec,
                                   std::string_view text) {
  const auto value = read_number<Number>(text);
  // Not-a-number fails both comparisons.
  if (!value || !(static_cast<double>(*value) >= spec.least) ||
      !(static_cast<double>(*value) <= spec.most))
    return std::nullopt;
  return value;
}

std::optional<std::vector<std::int64_t>> read_list(const option_spec &spec,
                                                   std::string_view text) {
  std::vector<std::int64_t> out;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto item =
        read_bounded<std::int64_t>(spec, trimmed(text.substr(0, comma)));
    if (!item)
      return std::nullopt;
    out.push_back(*item);
    if (comma + 1 == text.size())
      return std::nullopt; // a comma with nothing behind it
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

std::optional<bool> read_boolean(const std::string &word) {
  if (word == "true" || word == "1")
    return true;
  if (word == "false" || word == "0")
    return false;
  return std::nullopt;
}

/// The word itself, or what it is a synonym of.
std::string_view meaning(const option_spec &spec, std::string_view word) {
  for (const auto &[synonym, value] : spec.synonyms)
    if (lower(word) == synonym)
      return value;
  return word;
}

template <class T>
std::optional<option_value> wrap(std::optional<T> value) {
  if (!value)
    return std::nullopt;
  return option_value(*std::move(value));
}

std::optional<option_value> read(const option_spec &spec,
                                 std::string_view text) {
  const auto word = meaning(spec, trimmed(text));
  switch (spec.kind) {
  case option_kind::string:
    return option_value(std::string(text));
  case option_kind::string_list:
    return option_value(std::vector<std::string>{std::string(text)});
  case option_kind::integer:
    return wrap(read_bounded<std::int64_t>(spec, word));
  case option_kind::real:
    return wrap(read_bounded<double>(spec, word));
  case option_kind::boolean:
    return wrap(read_boolean(lower(word)));
  case option_kind::integer_list:
    return wrap(read_list(spec, word));
  case option_kind::choice:
    // In any case of letters; the table's own spelling is the value.
    for (const auto choice : spec.choices)
      if (lower(choice) == lower(word))
        return option_value(std::string(choice));
    return std::nullopt;
  }
  return std::nullopt;
}

std::string bounds_text(const option_spec &spec) {
  const auto number = [](double bound) {
    return std::to_string(static_cast<std::int64_t>(bound));
  };
  const bool low = spec.least > std::numeric_limits<double>::lowest();
  const bool high = spec.most < std::numeric_limits<double>::max();
  if (low && high)
    return " from " + number(spec.least) + " to " + number(spec.most);
  if (low)
    return ", at least " + number(spec.least);
  return high ? ", at most " + number(spec.most) : std::string();
}

std::string joined(const std::vector<std::string_view> &words) {
  std::string out;
  for (const auto word : words)
    out += (out.empty() ? "" : ", ") + std::string(word);
  return out;
}

} // namespace

std::string accepted_text(const option_spec &spec) {
  std::vector<std::string_view> words;
  for (const auto &[word, value] : spec.synonyms)
    words.push_back(word);
  const auto also = words.empty() ? std::string() : " or " + joined(words);
  switch (spec.kind) {
  case option_kind::integer:
    return "a whole number" + bounds_text(spec) + also;
  case option_kind::real:
    return "a number" + bounds_text(spec) + also;
  case option_kind::boolean:
    return "true or false";
  case option_kind::choice:
    return "one of " + joined(spec.choices) +
           (words.empty() ? "" : "; also " + joined(words));
  case option_kind::integer_list:
    return "whole numbers" + bounds_text(spec) + " separated by commas";
  case option_kind::string:
  case option_kind::string_list:
    return "text";
  }
  return "text";
}

const value_note *note_on(const std::vector<value_note> &notes,
                          std::string_view text) {
  const auto word = lower(trimmed(text));
  for (const auto &note : notes)
    if (note.value == "*" || lower(note.value) == word)
      return &note;
  return nullptr;
}

option_value parse_option(const option_spec &spec, std::string_view text,
                          const std::string &where, const std::string &field) {
  if (const auto *note = note_on(spec.refused, text))
    throw error(
        error_code::unsupported,
        "'" + std::string(trimmed(text)) +
            "' is refused: " + std::string(note->text) + "; accepted: " +
            (note->value == "*" ? "to leave it out" : accepted_text(spec)),
        where, field);
  if (auto value = read(spec, text))
    return *std::move(value);
  throw error(error_code::invalid_argument,
              "'" + std::string(spec.secret ? "***" : text) +
                  "' is not acceptable; expected " + accepted_text(spec),
              where, field);
}

} // namespace ganglion::runtime

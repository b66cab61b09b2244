#include "runtime/tokenizer/split_pattern.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>
#include <array>

namespace ganglion::runtime {

split_pattern split_pattern::literal(std::string text) {
  require(!text.empty(), "an empty literal splits nothing");
  split_pattern out;
  out.literal_ = std::move(text);
  return out;
}

split_pattern split_pattern::expression(const std::string &pattern,
                                        const std::string &where,
                                        const std::string &field) {
  split_pattern out;
  out.scanner_ = find_scanner(pattern);
  if (!out.scanner_)
    out.regex_.emplace(pattern, where, field);
  return out;
}

split_pattern split_pattern::from_json(const json::value &pattern) {
  if (const auto text = pattern.find("String")) {
    if (text->as_string_view().empty())
      throw error(
          error_code::invalid_argument,
          "an empty string matches nowhere; give one or more characters",
          text->where(), text->path());
    return literal(text->as_string());
  }
  const auto text = pattern.at("Regex");
  return expression(text.as_string(), text.where(), text.path());
}

std::vector<span_of_text> split_pattern::matches(std::string_view text) const {
  if (regex_)
    return regex_->find_all(text);
  std::vector<span_of_text> out;
  if (scanner_) {
    for (std::size_t at = 0; at < text.size();) {
      const auto length = scanner_(text.substr(at));
      out.emplace_back(at, at + length);
      at += length;
    }
    return out;
  }
  for (auto at = text.find(literal_); at != std::string_view::npos;
       at = text.find(literal_, at + literal_.size()))
    out.emplace_back(at, at + literal_.size());
  return out;
}

std::vector<text_part> split_pattern::parts(std::string_view text) const {
  std::vector<text_part> out;
  std::size_t done = 0;
  for (const auto &match : matches(text)) {
    if (match.first != done)
      out.push_back({{done, match.first}, false});
    out.push_back({match, true});
    done = match.second;
  }
  if (done != text.size())
    out.push_back({{done, text.size()}, false});
  return out;
}

std::string split_pattern::replace(std::string_view text,
                                   std::string_view content) const {
  std::string out;
  out.reserve(text.size());
  for (const auto &[span, is_match] : parts(text))
    out +=
        is_match ? content : text.substr(span.first, span.second - span.first);
  return out;
}

bool split_pattern::is_single_character() const {
  return !literal_.empty() && utf8_length(literal_[0]) == literal_.size();
}

std::vector<text_part> character_parts(std::string_view text,
                                       bool (*test)(char32_t)) {
  std::vector<text_part> out;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto step = next_code_point(text.substr(at));
    const std::size_t end = at + step.length;
    if (test(step.value)) {
      if (done < at)
        out.push_back({{done, at}, false});
      out.push_back({{at, end}, true});
      done = end;
    }
    at = end;
  }
  if (done < text.size())
    out.push_back({{done, text.size()}, false});
  return out;
}

split_behavior split_behavior_from(const json::value &name) {
  static constexpr std::array<std::pair<std::string_view, split_behavior>, 5>
      names{{{"Removed", split_behavior::removed},
             {"Isolated", split_behavior::isolated},
             {"MergedWithPrevious", split_behavior::merged_with_previous},
             {"MergedWithNext", split_behavior::merged_with_next},
             {"Contiguous", split_behavior::contiguous}}};
  for (const auto &[text, behavior] : names)
    if (name.as_string_view() == text)
      return behavior;
  throw error(error_code::unsupported,
              "split behavior '" + name.as_string() +
                  "'; known are Removed, Isolated, MergedWithPrevious, "
                  "MergedWithNext and Contiguous",
              name.where(), name.path());
}

namespace {

std::vector<span_of_text> keep(const std::vector<text_part> &parts,
                               bool matches_too) {
  std::vector<span_of_text> out;
  out.reserve(parts.size());
  for (const auto &part : parts)
    if (matches_too || !part.is_match)
      out.push_back(part.span);
  return out;
}

// Joins a part to the one before it (in the order given) when `joins` says so
// of the two flags.
template <class Parts, class Join>
std::vector<span_of_text> join(const Parts &parts, Join joins) {
  std::vector<span_of_text> out;
  bool previous = false;
  for (const auto &part : parts) {
    if (!out.empty() && joins(previous, part.is_match)) {
      out.back().first = std::min(out.back().first, part.span.first);
      out.back().second = std::max(out.back().second, part.span.second);
    } else {
      out.push_back(part.span);
    }
    previous = part.is_match;
  }
  return out;
}

bool starts_run_of_matches(bool previous, bool current) {
  return current && !previous;
}

} // namespace

std::vector<span_of_text> split(const std::vector<text_part> &parts,
                                split_behavior behavior) {
  switch (behavior) {
  case split_behavior::removed:
    return keep(parts, false);
  case split_behavior::isolated:
    return keep(parts, true);
  case split_behavior::contiguous:
    return join(parts, [](bool a, bool b) { return a == b; });
  case split_behavior::merged_with_previous:
    return join(parts, starts_run_of_matches);
  case split_behavior::merged_with_next: {
    auto out = join(std::vector<text_part>(parts.rbegin(), parts.rend()),
                    starts_run_of_matches);
    std::reverse(out.begin(), out.end());
    return out;
  }
  }
  return {};
}

} // namespace ganglion::runtime

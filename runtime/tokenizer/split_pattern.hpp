// What a text is cut or replaced by: a literal or a regular expression, and
// what becomes of the delimiters.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/known_patterns.hpp"
#include "runtime/tokenizer/regex.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// A stretch of text that did or did not match.
struct text_part {
  span_of_text span;
  bool is_match = false;
};

/// Immutable; may be used by any number of threads.
class split_pattern {
public:
  /// `text`, not empty, stands for itself.
  static split_pattern literal(std::string text);
  /// Throws `invalid_argument` naming `where` and `field` for a bad pattern.
  static split_pattern expression(const std::string &pattern,
                                  const std::string &where,
                                  const std::string &field);
  /// Reads `{"String": ...}` or `{"Regex": ...}`.
  static split_pattern from_json(const json::value &pattern);

  /// All of `text` (UTF-8) in order, matches and what lies between them.
  std::vector<text_part> parts(std::string_view text) const;
  /// `text` with `content` in the place of each match.
  std::string replace(std::string_view text, std::string_view content) const;
  /// True for a literal of one character: it can be replaced in any fragment
  /// of a text.
  bool is_single_character() const;

private:
  split_pattern() = default;
  std::vector<span_of_text> matches(std::string_view text) const;

  std::string literal_;
  pattern_scanner scanner_ = nullptr;
  std::optional<regex> regex_;
};

/// Every character for which `test` holds as a match of its own, and the
/// stretches between.
std::vector<text_part> character_parts(std::string_view text,
                                       bool (*test)(char32_t));

/// What happens to the matches when a text is split.
enum class split_behavior {
  removed,
  isolated,
  merged_with_previous,
  merged_with_next,
  contiguous,
};

/// Reads the name of a behaviour ("Removed", "Isolated", ...).
split_behavior split_behavior_from(const json::value &name);

/// The pieces that remain of `parts`, in order; may contain empty spans.
std::vector<span_of_text> split(const std::vector<text_part> &parts,
                                split_behavior behavior);

} // namespace ganglion::runtime

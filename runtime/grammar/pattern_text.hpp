// Reads the characters of a pattern or grammar, with escapes and classes, and
// says where it stopped understanding them.
#pragma once

#include "runtime/grammar/code_points.hpp"
#include "runtime/grammar/limits.hpp"

#include <string>
#include <string_view>

namespace ganglion::runtime::grammar {

/// A place in a text of UTF-8.
class pattern_text {
public:
  /// `what` names the text in messages. Throws `invalid_argument` for text
  /// that is too long or no UTF-8.
  pattern_text(std::string_view text, std::string what, const limits &bounds);

  bool at_end() const { return at_ == text_.size(); }
  /// 0 past the end.
  char32_t peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0;
  }
  char32_t take() { return text_[at_++]; }
  /// Takes `c` if it is next.
  bool accept(char32_t c);
  void expect(char32_t c, const char *why);
  std::size_t place() const { return at_; }
  void move_to(std::size_t place) { at_ = place; }

  /// Throws `invalid_argument` with the place.
  [[noreturn]] void fail(const std::string &why) const;

  /// A whole number that is at most `most`.
  std::int32_t number(std::int32_t most);
  /// What comes after a backslash: one character or a class (\d, \w, \s and
  /// their opposites).
  code_points escaped();
  /// What comes after "[", with the "]".
  code_points bracketed();

private:
  code_points class_item();
  char32_t hexadecimal(int digits);

  std::u32string text_;
  std::size_t at_ = 0;
  std::string what_;
};

/// The times of a quantifier that was read.
struct quantifier {
  std::int32_t least = 1, most = 1; ///< `most` may be `no_bound`
};

/// Reads "*", "+", "?", "{n}", "{n,}" or "{n,m}" if one comes next.
bool read_quantifier(pattern_text &from, quantifier &into);

} // namespace ganglion::runtime::grammar

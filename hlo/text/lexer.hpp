// Reads HLO text piece by piece: names, numbers, strings, punctuation. Every
// failure names the line and the column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::hlo::text {

/// A place in a text that must outlive it. White space and comments
/// (`/* */` and `// ...`) are skipped before each piece.
class lexer {
public:
  /// `where` names the text in errors.
  lexer(std::string_view text, std::string where);

  bool at_end();
  /// The next character, or 0 at the end.
  char peek();
  bool peek(std::string_view text);
  /// Takes `text` if it comes next.
  bool accept(std::string_view text);
  void expect(std::string_view text);

  /// Whether a name comes next.
  bool at_name();
  /// A letter or underscore, then letters, digits, '_', '.' and '-'.
  std::string_view name();
  /// A name with or without the leading '%'.
  std::string_view value_name();
  /// An integer within +-2^46, so that sums of a few cannot overflow.
  std::int64_t integer();
  std::vector<std::int64_t> integers_until(char end);
  bool boolean();
  /// The spelling of one number, including "nan(0x1)".
  std::string_view number();
  /// A quoted string with its escapes resolved.
  std::string quoted();
  /// Text from an opening brace to the one that closes it, minding strings.
  std::string_view braced();

  std::size_t remaining() const { return text_.size() - at_; }
  /// Throws `corrupt_data` at the current place, or at `place`.
  [[noreturn]] void fail(const std::string &message);
  [[noreturn]] void fail_at(std::size_t place, const std::string &message);
  /// Where the next piece starts, for `fail_at`.
  std::size_t place();

private:
  void skip_space();
  void skip_comment();
  void skip_string();

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0;
};

} // namespace ganglion::hlo::text

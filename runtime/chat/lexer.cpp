#include "runtime/chat/chat_error.hpp"
#include "runtime/chat/literal.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/token.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

constexpr std::string_view symbols[] = {
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
    "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};

class lexer {
public:
  explicit lexer(std::string_view source) : source_(source) {}

  std::vector<token> all() {
    while (at_ < source_.size())
      read_text_and_tag();
    add(token_kind::end, "");
    return std::move(tokens_);
  }

private:
  [[noreturn]] void fail(const std::string &message) const {
    throw chat_error(failure::syntax, message, line_);
  }
  std::string_view rest() const { return source_.substr(at_); }
  bool next_is(std::string_view text) const { return rest().starts_with(text); }
  void advance(std::size_t count) {
    line_ += static_cast<std::size_t>(
        std::ranges::count(source_.substr(at_, count), '\n'));
    at_ += count;
    line_starts_ = at_ == 0 || source_[at_ - 1] == '\n';
  }
  void add(token_kind kind, std::string text) {
    tokens_.push_back({kind, std::move(text), line_});
  }

  // Where the next tag opens, or the end.
  std::size_t next_tag() const {
    for (auto i = source_.find('{', at_); i != source_.npos;
         i = source_.find('{', i + 1)) {
      const auto pair = source_.substr(i, 2);
      if (pair == "{{" || pair == "{%" || pair == "{#")
        return i;
    }
    return source_.size();
  }

  // The text before a tag, without what the tag's sign takes away.
  std::string_view stripped(std::string_view text, char sign,
                            bool is_output) const {
    if (sign == '-')
      return strip_right(text);
    if (sign == '+' || is_output)
      return text;
    const auto line = text.rfind('\n') + 1;
    if ((line > 0 || line_starts_) && strip_right(text.substr(line)).empty())
      return text.substr(0, line);
    return text;
  }

  char sign_at(std::size_t at) const {
    const char c = at < source_.size() ? source_[at] : ' ';
    return c == '-' || c == '+' ? c : ' ';
  }

  void add_text(std::string_view text) {
    if (!text.empty())
      add(token_kind::text, std::string(text));
  }

  void read_text_and_tag() {
    const auto tag = next_tag();
    const auto text = source_.substr(at_, tag - at_);
    if (tag == source_.size()) {
      add_text(text);
      at_ = tag;
      return;
    }
    const char kind = source_[tag + 1], sign = sign_at(tag + 2);
    add_text(stripped(text, sign, kind == '{'));
    advance(text.size() + (sign == ' ' ? 2 : 3));
    if (kind == '#')
      skip_comment();
    else if (kind == '%' && skip_raw_word("raw"))
      read_raw();
    else
      read_tag(kind == '{');
  }

  // Past "-%}" and white space, "+%}", or "%}" and a line's end.
  bool skip_close(std::string_view close, bool trims) {
    if (next_is("-" + std::string(close))) {
      const auto after = source_.substr(at_ + 1 + close.size());
      advance(source_.size() - at_ - strip_left(after).size());
      return true;
    }
    if (trims && next_is("+" + std::string(close))) {
      advance(1 + close.size());
      return true;
    }
    if (!next_is(close))
      return false;
    advance(close.size());
    if (trims && next_is("\n"))
      advance(1);
    return true;
  }

  void skip_comment() {
    const auto end = source_.find("#}", at_);
    if (end == source_.npos)
      fail("a comment has no end: #}");
    const bool signs = end > at_ && sign_at(end - 1) != ' ';
    advance(end - at_ - (signs ? 1 : 0));
    skip_close("#}", true);
  }

  // Past `word` and the end of its block, if that is what is next.
  bool skip_raw_word(std::string_view word) {
    auto after = strip_left(rest());
    if (!after.starts_with(word))
      return false;
    after = strip_left(after.substr(word.size()));
    if (!after.starts_with("%}") && !after.starts_with("-%}") &&
        !(word == "endraw" && after.starts_with("+%}")))
      return false;
    advance(source_.size() - at_ - after.size());
    return skip_close("%}", word == "endraw");
  }

  void read_raw() {
    const auto start = at_;
    for (auto i = source_.find("{%", at_); i != source_.npos;
         i = source_.find("{%", i + 1)) {
      const char sign = sign_at(i + 2);
      const auto word = strip_left(source_.substr(i + (sign == ' ' ? 2 : 3)));
      if (!word.starts_with("endraw"))
        continue;
      const auto text = source_.substr(start, i - start);
      add_text(stripped(text, sign, false));
      advance(i - at_ + (sign == ' ' ? 2 : 3));
      if (skip_raw_word("endraw"))
        return;
      fail("{% endraw is not closed: %}");
    }
    fail("{% raw %} has no end: {% endraw %}");
  }

  void read_tag(bool is_output) {
    const std::string_view close = is_output ? "}}" : "%}";
    add(is_output ? token_kind::begin_output : token_kind::begin_block, "");
    std::string open;
    for (;;) {
      advance(rest().size() - strip_left(rest()).size());
      if (at_ == source_.size())
        fail("a tag has no end: " + std::string(close));
      const auto line = line_;
      if (open.empty() && skip_close(close, !is_output)) {
        tokens_.push_back(
            {is_output ? token_kind::end_output : token_kind::end_block, "",
             line});
        return;
      }
      read_token(open);
    }
  }

  void read_token(std::string &open) {
    const char c = source_[at_];
    if (c == '\'' || c == '"')
      return read_string(c);
    bool is_real = false;
    if (const auto length = number_length(rest(), is_real)) {
      add(is_real && !after_dot() ? token_kind::real : token_kind::integer,
          std::string(rest().substr(0, length)));
      return advance(length);
    }
    if (const auto length = name_length()) {
      add(token_kind::name, std::string(rest().substr(0, length)));
      return advance(length);
    }
    for (const auto symbol : symbols)
      if (next_is(symbol)) {
        balance(symbol[0], open);
        add(token_kind::symbol, std::string(symbol));
        return advance(symbol.size());
      }
    fail("unexpected character '" +
         std::string(rest().substr(0, utf8_length(c))) + "'");
  }

  bool after_dot() const {
    return !tokens_.empty() && tokens_.back().is(token_kind::symbol, ".");
  }

  void balance(char c, std::string &open) const {
    constexpr std::string_view opening = "([{", closing = ")]}";
    if (const auto i = opening.find(c); i != opening.npos) {
      open += closing[i];
    } else if (closing.find(c) != closing.npos) {
      if (open.empty() || open.back() != c)
        fail(std::string("unexpected '") + c + "'");
      open.pop_back();
    }
  }

  void read_string(char quote) {
    auto end = at_ + 1;
    while (end < source_.size() && source_[end] != quote)
      end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size())
      fail("a string has no end");
    add(token_kind::string,
        unescape(source_.substr(at_ + 1, end - at_ - 1), line_));
    advance(end + 1 - at_);
  }

  std::size_t name_length() const {
    std::size_t length = 0;
    while (length < rest().size()) {
      const auto step = next_code_point(rest().substr(length));
      if (!is_word_character(step.value) ||
          (length == 0 && is_numeric(step.value)))
        break;
      length += step.length;
    }
    return length;
  }

  std::string_view source_;
  std::size_t at_ = 0, line_ = 1;
  bool line_starts_ = true;
  std::vector<token> tokens_;
};

// One kind of line end, and none at the very end.
std::string with_plain_lines(std::string_view source) {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool pair = source.substr(i, 2) == "\r\n";
    out += source[i] == '\r' ? '\n' : source[i];
    i += pair ? 1 : 0;
  }
  if (out.ends_with('\n'))
    out.pop_back();
  return out;
}

} // namespace

std::vector<token> tokenize(std::string_view source) {
  if (!is_utf8(source))
    throw chat_error(failure::syntax, "the source is not UTF-8", 1);
  const auto plain = with_plain_lines(source);
  return lexer(plain).all();
}

} // namespace ganglion::runtime::chat

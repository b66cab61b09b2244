#include "runtime/grammar/regex.hpp"

#include "runtime/grammar/pattern_text.hpp"

namespace ganglion::runtime::grammar {

namespace {

class regex_parser {
public:
  regex_parser(builder &to, std::string_view pattern, regex_match match,
               text_form form)
      : to_(to),
        text_(pattern, "regular expression", to.bounds()),
        match_(match),
        form_(form) {}

  expr whole() {
    std::vector<expr> ways;
    do
      ways.push_back(branch());
    while (text_.accept('|'));
    if (!text_.at_end())
      text_.fail("a ) that closes nothing");
    return to_.any_of(ways);
  }

private:
  /// One way of the outermost choice, where anchors may stand.
  expr branch() {
    std::vector<expr> parts;
    if (!text_.accept('^') && match_ == regex_match::part)
      parts.push_back(anything());
    parts.push_back(sequence());
    const bool ends = text_.accept('$');
    if (ends && !text_.at_end() && text_.peek() != '|')
      text_.fail("$ is accepted at the end only");
    if (!ends && match_ == regex_match::part)
      parts.push_back(anything());
    return to_.sequence(parts);
  }

  expr anything() {
    return to_.repeat(character(to_, code_points::all(), form_), 0, no_bound);
  }

  expr choice() {
    std::vector<expr> ways;
    do
      ways.push_back(sequence());
    while (text_.accept('|'));
    return to_.any_of(ways);
  }

  expr sequence() {
    std::vector<expr> parts;
    while (!text_.at_end() && text_.peek() != '|' && text_.peek() != ')' &&
           text_.peek() != '$')
      parts.push_back(quantified());
    return to_.sequence(parts);
  }

  expr quantified() {
    const expr part = atom();
    quantifier times;
    if (!read_quantifier(text_, times))
      return part;
    text_.accept('?'); // lazy: the same texts
    const char32_t next = text_.peek();
    if (next == '*' || next == '+' || next == '?' || next == '{')
      text_.fail("a quantifier of a quantifier is not supported");
    return to_.repeat(part, times.least, times.most);
  }

  expr atom() {
    const char32_t c = text_.take();
    switch (c) {
    case '(':
      return group();
    case '[':
      return one(text_.bracketed());
    case '.':
      return one(code_points('\n', '\n').complement());
    case '\\':
      return one(text_.escaped());
    case '^':
      text_.fail("^ is accepted at the start only");
    case '*':
    case '+':
    case '?':
    case '{':
    case '}':
      text_.fail("a quantifier of nothing; write a backslash before it to mean "
                 "the character");
    default:
      return one({c, c});
    }
  }

  expr group() {
    if (++depth_ > to_.bounds().nesting)
      text_.fail("groups are nested too deeply");
    if (text_.accept('?') && !text_.accept(':'))
      text_.fail("only groups ( ) and (?: ) are supported");
    const expr inside = choice();
    if (text_.peek() == '$')
      text_.fail("$ is accepted at the end only");
    text_.expect(')', "a group is not closed with )");
    --depth_;
    return inside;
  }

  expr one(const code_points &set) { return character(to_, set, form_); }

  builder &to_;
  pattern_text text_;
  regex_match match_;
  text_form form_;
  std::int32_t depth_ = 0;
};

} // namespace

expr regex(builder &to, std::string_view pattern, regex_match match,
           text_form form) {
  return regex_parser(to, pattern, match, form).whole();
}

} // namespace ganglion::runtime::grammar

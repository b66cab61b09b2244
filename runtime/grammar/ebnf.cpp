#include "runtime/grammar/ebnf.hpp"

#include "runtime/grammar/pattern_text.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <map>

namespace ganglion::runtime::grammar {

namespace {

bool starts_name(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool in_name(char32_t c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '-';
}

class ebnf_parser {
public:
  ebnf_parser(builder &to, std::string_view text)
      : to_(to),
        text_(text, "grammar", to.bounds()) {}

  expr whole() {
    skip();
    while (!text_.at_end())
      read_rule();
    if (!defined_.contains("root"))
      text_.fail("there is no rule 'root'");
    for (const auto &[name, place] : first_use_)
      if (!defined_.contains(name)) {
        text_.move_to(place);
        text_.fail("the rule '" + name + "' is not defined");
      }
    return to_.call(rules_.at("root"));
  }

private:
  /// White space, new lines and comments.
  void skip() {
    for (;;) {
      const char32_t c = text_.peek();
      if (text_.accept('#')) {
        while (!text_.at_end() && text_.peek() != '\n')
          text_.take();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        text_.take();
      } else {
        return;
      }
    }
  }

  std::string name() {
    if (!starts_name(text_.peek()))
      text_.fail("the name of a rule is missing");
    std::string out;
    while (in_name(text_.peek()))
      out += static_cast<char>(text_.take());
    return out;
  }

  bool accept_definition() {
    if (text_.peek() != ':' || text_.peek(1) != ':' || text_.peek(2) != '=')
      return false;
    text_.move_to(text_.place() + 3);
    return true;
  }

  rule rule_named(const std::string &name) {
    const auto found = rules_.find(name);
    if (found != rules_.end())
      return found->second;
    first_use_.emplace(name, text_.place());
    return rules_.emplace(name, to_.declare(name)).first->second;
  }

  void read_rule() {
    const std::string own = name();
    skip();
    if (!accept_definition())
      text_.fail("::= is missing");
    if (!defined_.emplace(own, true).second)
      text_.fail("the rule '" + own + "' is defined twice");
    const rule r = rule_named(own);
    skip();
    to_.define(r, choice());
    if (!text_.at_end() && !starts_name(text_.peek()))
      text_.fail("a rule is expected here");
  }

  expr choice() {
    std::vector<expr> ways;
    do {
      skip();
      ways.push_back(sequence());
    } while (text_.accept('|'));
    return to_.any_of(ways);
  }

  /// Until the choice, the group or the rule ends: at a name that a definition
  /// follows.
  expr sequence() {
    std::vector<expr> parts;
    while (!text_.at_end() && text_.peek() != '|' && text_.peek() != ')') {
      const std::size_t place = text_.place();
      if (starts_name(text_.peek())) {
        name();
        skip();
        const bool next_rule = accept_definition();
        text_.move_to(place);
        if (next_rule)
          break;
      }
      parts.push_back(quantified());
    }
    return to_.sequence(parts);
  }

  expr quantified() {
    expr part = atom();
    skip();
    quantifier times;
    while (read_quantifier(text_, times)) {
      part = to_.repeat(part, times.least, times.most);
      if (++quantifiers_ > to_.bounds().nesting)
        text_.fail("too many quantifiers of one part");
      skip();
    }
    quantifiers_ = 0;
    return part;
  }

  expr atom() {
    if (starts_name(text_.peek()))
      return to_.call(rule_named(name()));
    if (text_.accept('"'))
      return literal();
    if (text_.accept('['))
      return to_.character(text_.bracketed());
    if (text_.accept('.'))
      return to_.character(code_points::all());
    if (text_.accept('('))
      return group();
    text_.fail("a name, a literal, a class or a group is expected here");
  }

  expr literal() {
    std::vector<expr> parts;
    while (!text_.accept('"')) {
      if (text_.at_end())
        text_.fail("a literal is not closed with \"");
      const char32_t c = text_.take();
      parts.push_back(c == '\\' ? to_.character(text_.escaped())
                                : to_.literal(to_utf8(c)));
    }
    return to_.sequence(parts);
  }

  expr group() {
    if (++depth_ > to_.bounds().nesting)
      text_.fail("groups are nested too deeply");
    const expr inside = choice();
    text_.expect(')', "a group is not closed with )");
    --depth_;
    return inside;
  }

  builder &to_;
  pattern_text text_;
  std::map<std::string, rule, std::less<>> rules_;
  std::map<std::string, std::size_t> first_use_;
  std::map<std::string, bool> defined_;
  std::int32_t depth_ = 0, quantifiers_ = 0;
};

} // namespace

expr ebnf(builder &to, std::string_view text) {
  return ebnf_parser(to, text).whole();
}

} // namespace ganglion::runtime::grammar

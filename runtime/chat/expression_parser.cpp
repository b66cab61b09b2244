#include "runtime/chat/expression_parser.hpp"

#include "runtime/chat/literal.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

using kind = expression_kind;

struct binary_operator {
  std::string_view symbol;
  int precedence;
};

// Loosest first; `or`, `and` and comparisons are parsed on their own.
constexpr binary_operator operators[] = {{"+", 0}, {"-", 0}, {"~", 1},
                                         {"*", 2}, {"/", 2}, {"//", 2},
                                         {"%", 2}, {"**", 3}};
constexpr int tightest = 3;

constexpr std::string_view comparisons[] = {"==", "!=", "<", "<=", ">", ">="};

} // namespace

expression_pointer expression_parser::make(expression_kind kind) const {
  auto out = std::make_unique<expression>();
  out->kind = kind;
  out->line = tokens_.current().line;
  return out;
}

// Chains of equal operators nest as well, without nesting in the source.
void expression_parser::check_depth(std::size_t links) const {
  if (links > most_nesting)
    tokens_.fail(failure::limit, "chains more than " +
                                     std::to_string(most_nesting) +
                                     " operations");
}

expression_pointer expression_parser::parse(bool with_conditional) {
  const token_stream::level level(tokens_);
  if (with_conditional)
    return parse_conditional();
  auto left = make(kind::logical_or);
  left->operands.push_back(nullptr);
  // a or b or c, and inside it a and b and c: one node each
  const auto conjunction = [this] {
    auto all = make(kind::logical_and);
    do
      all->operands.push_back(parse_not());
    while (tokens_.skip_word("and"));
    return all->operands.size() == 1 ? std::move(all->operands[0])
                                     : std::move(all);
  };
  left->operands[0] = conjunction();
  while (tokens_.skip_word("or"))
    left->operands.push_back(conjunction());
  return left->operands.size() == 1 ? std::move(left->operands[0])
                                    : std::move(left);
}

expression_pointer expression_parser::parse_conditional() {
  auto out = parse(false);
  for (std::size_t links = 0; tokens_.skip_word("if"); ++links) {
    check_depth(links);
    auto choice = make(kind::conditional);
    choice->operands.push_back(std::move(out));
    choice->operands.push_back(parse(false));
    choice->operands.push_back(tokens_.skip_word("else") ? parse() : nullptr);
    out = std::move(choice);
  }
  return out;
}

expression_pointer expression_parser::parse_not() {
  const token_stream::level level(tokens_);
  if (!tokens_.is_word("not"))
    return parse_compare();
  auto out = make(kind::logical_not);
  tokens_.take();
  out->operands.push_back(parse_not());
  return out;
}

expression_pointer expression_parser::parse_compare() {
  auto out = make(kind::compare);
  out->operands.push_back(parse_binary(0));
  for (;;) {
    if (tokens_.is(token_kind::symbol) &&
        std::ranges::count(comparisons, tokens_.current().text)) {
      out->operators.push_back(tokens_.take().text);
    } else if (tokens_.skip_word("in")) {
      out->operators.emplace_back("in");
    } else if (tokens_.is_word("not") &&
               tokens_.following().is(token_kind::name, "in")) {
      tokens_.take();
      tokens_.take();
      out->operators.emplace_back("not in");
    } else {
      break;
    }
    out->operands.push_back(parse_binary(0));
  }
  return out->operators.empty() ? std::move(out->operands[0]) : std::move(out);
}

expression_pointer expression_parser::parse_binary(int precedence) {
  if (precedence > tightest)
    return parse_unary();
  auto left = parse_binary(precedence + 1);
  for (std::size_t links = 0;; ++links) {
    const auto found = std::ranges::find_if(operators, [&](const auto &o) {
      return o.precedence == precedence && tokens_.is_symbol(o.symbol);
    });
    if (found == std::end(operators))
      return left;
    check_depth(links);
    auto out = make(found->symbol == "~" ? kind::concat : kind::arithmetic);
    out->name = tokens_.take().text;
    out->operands.push_back(std::move(left));
    out->operands.push_back(parse_binary(precedence + 1));
    left = std::move(out);
  }
}

expression_pointer expression_parser::parse_unary(bool with_filters) {
  const token_stream::level level(tokens_);
  expression_pointer out;
  if (tokens_.is_symbol("-") || tokens_.is_symbol("+")) {
    out = make(tokens_.is_symbol("-") ? kind::negative : kind::positive);
    tokens_.take();
    out->operands.push_back(parse_unary(false));
  } else {
    out = parse_primary();
  }
  out = parse_postfix(std::move(out));
  return with_filters ? parse_filter_chain(std::move(out)) : std::move(out);
}

expression_pointer expression_parser::parse_primary() {
  if (tokens_.is(token_kind::name))
    return parse_literal();
  auto out = make(kind::constant);
  if (tokens_.is(token_kind::string)) {
    std::string text;
    while (tokens_.is(token_kind::string))
      text += tokens_.take().text;
    out->constant = std::move(text);
    return out;
  }
  if (tokens_.is(token_kind::integer) || tokens_.is(token_kind::real)) {
    out->constant = number_value(tokens_.take());
    return out;
  }
  if (tokens_.skip_symbol("(")) {
    out = parse_tuple(true, {}, true);
    tokens_.expect_symbol(")");
    return out;
  }
  if (tokens_.is_symbol("["))
    return parse_list();
  if (tokens_.is_symbol("{"))
    return parse_dict();
  tokens_.fail_expecting("an expression");
}

expression_pointer expression_parser::parse_literal() {
  auto out = make(kind::constant);
  const auto &word = tokens_.take().text;
  if (word == "true" || word == "True") {
    out->constant = true;
  } else if (word == "false" || word == "False") {
    out->constant = false;
  } else if (word != "none" && word != "None") {
    out->kind = kind::name;
    out->name = word;
    if (word == "varargs" || word == "kwargs" || word == "caller")
      special_names.push_back(word);
  }
  return out;
}

expression_pointer expression_parser::parse_list() {
  auto out = make(kind::list);
  tokens_.expect_symbol("[");
  while (!tokens_.is_symbol("]")) {
    out->operands.push_back(parse());
    if (!tokens_.is_symbol("]"))
      tokens_.expect_symbol(",");
  }
  tokens_.take();
  return out;
}

expression_pointer expression_parser::parse_dict() {
  auto out = make(kind::dict);
  tokens_.expect_symbol("{");
  while (!tokens_.is_symbol("}")) {
    out->operands.push_back(parse());
    tokens_.expect_symbol(":");
    out->operands.push_back(parse());
    if (!tokens_.is_symbol("}"))
      tokens_.expect_symbol(",");
  }
  tokens_.take();
  return out;
}

bool expression_parser::at_tuple_end(std::string_view end_word) const {
  return tokens_.is(token_kind::end_output) ||
         tokens_.is(token_kind::end_block) || tokens_.is_symbol(")") ||
         (!end_word.empty() && tokens_.is_word(end_word));
}

expression_pointer expression_parser::parse_tuple(bool with_conditional,
                                                  std::string_view end_word,
                                                  bool in_parentheses) {
  auto out = make(kind::tuple);
  bool is_tuple = in_parentheses && at_tuple_end(end_word);
  while (!at_tuple_end(end_word)) {
    out->operands.push_back(parse(with_conditional));
    if (!tokens_.skip_symbol(","))
      break;
    is_tuple = true;
  }
  if (is_tuple)
    return out;
  if (out->operands.empty())
    tokens_.fail_expecting("an expression");
  return std::move(out->operands[0]);
}

target expression_parser::parse_one_target(bool members) {
  const token_stream::level level(tokens_);
  target out;
  out.line = tokens_.current().line;
  if (tokens_.skip_symbol("(")) {
    out = parse_target(members);
    tokens_.expect_symbol(")");
    return out;
  }
  out.name = tokens_.expect_name();
  constexpr std::string_view constants[] = {"true",  "True", "false",
                                            "False", "none", "None"};
  if (std::ranges::count(constants, out.name))
    throw chat_error(failure::syntax, "cannot assign to '" + out.name + "'",
                     out.line);
  if (members && tokens_.skip_symbol("."))
    out.member = tokens_.expect_name();
  return out;
}

target expression_parser::parse_target(bool members,
                                       std::string_view end_word) {
  target all;
  all.line = tokens_.current().line;
  all.is_tuple = true;
  bool is_tuple = false;
  while (!at_tuple_end(end_word) && !tokens_.is_symbol("=")) {
    all.parts.push_back(parse_one_target(members));
    if (!tokens_.skip_symbol(","))
      break;
    is_tuple = true;
  }
  if (all.parts.empty())
    tokens_.fail_expecting("a name to assign to");
  return is_tuple ? all : target(std::move(all.parts[0]));
}

} // namespace ganglion::runtime::chat

// What follows a primary expression: members, elements, calls, filters, tests.
#include "runtime/chat/expression_parser.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/literal.hpp"
#include "runtime/chat/tests.hpp"

namespace ganglion::runtime::chat {

namespace {

using kind = expression_kind;

// The filter or test whose name map, select and their like are given.
void check_named(const expression &call) {
  const auto &given = call.given.positional;
  const bool by_member = call.name.ends_with("attr");
  const std::size_t place = by_member ? 1 : 0;
  if (given.size() <= place || given[place]->kind != kind::constant ||
      !given[place]->constant.is_string())
    return;
  const auto &name = given[place]->constant.as_string();
  if (call.name == "map")
    require_filter(name, call.line);
  else if (by_member || call.name == "select" || call.name == "reject")
    require_test(name, call.line);
}

} // namespace

expression_pointer expression_parser::parse_postfix(expression_pointer out) {
  for (std::size_t links = 0;; ++links) {
    check_depth(links);
    if (tokens_.is_symbol(".")) {
      out = parse_member(std::move(out));
    } else if (tokens_.is_symbol("[")) {
      out = parse_subscript(std::move(out));
    } else if (tokens_.is_symbol("(")) {
      auto call = make(kind::call);
      call->operands.push_back(std::move(out));
      call->given = parse_arguments();
      out = std::move(call);
    } else {
      return out;
    }
  }
}

expression_pointer
expression_parser::parse_filter_chain(expression_pointer out) {
  for (std::size_t links = 0;; ++links) {
    check_depth(links);
    if (tokens_.skip_symbol("|"))
      out = parse_filter(std::move(out));
    else if (tokens_.skip_word("is"))
      out = parse_test(std::move(out));
    else if (tokens_.is_symbol("("))
      out = parse_postfix(std::move(out));
    else
      return out;
  }
}

expression_pointer expression_parser::parse_filters(expression_pointer out) {
  out = parse_filter(std::move(out));
  for (std::size_t links = 0; tokens_.skip_symbol("|"); ++links) {
    check_depth(links);
    out = parse_filter(std::move(out));
  }
  return out;
}

expression_pointer expression_parser::parse_filter(expression_pointer subject) {
  auto out = make(kind::filter);
  out->name = tokens_.expect_name();
  out->filter = &require_filter(out->name, out->line);
  out->operands.push_back(std::move(subject));
  if (tokens_.is_symbol("("))
    out->given = parse_arguments();
  check_named(*out);
  return out;
}

expression_pointer expression_parser::parse_test(expression_pointer subject) {
  const auto line = tokens_.current().line;
  const bool negated = tokens_.skip_word("not");
  auto out = make(kind::test);
  out->name = tokens_.expect_name();
  out->test = &require_test(out->name, line);
  out->operands.push_back(std::move(subject));
  const auto starts_argument = [this] {
    if (tokens_.is(token_kind::name))
      return !tokens_.is_word("else") && !tokens_.is_word("or") &&
             !tokens_.is_word("and");
    return tokens_.is(token_kind::string) || tokens_.is(token_kind::integer) ||
           tokens_.is(token_kind::real) || tokens_.is_symbol("[") ||
           tokens_.is_symbol("{");
  };
  if (tokens_.is_symbol("(")) {
    out->given = parse_arguments();
  } else if (starts_argument()) {
    if (tokens_.is_word("is"))
      tokens_.fail(failure::syntax, "tests cannot be chained with 'is'");
    out->given.positional.push_back(parse_postfix(parse_primary()));
  }
  if (!negated)
    return out;
  auto opposite = make(kind::logical_not);
  opposite->operands.push_back(std::move(out));
  return opposite;
}

expression_pointer expression_parser::parse_member(expression_pointer subject) {
  auto out = make(kind::member);
  tokens_.expect_symbol(".");
  out->operands.push_back(std::move(subject));
  if (tokens_.is(token_kind::integer)) {
    out->kind = kind::element;
    out->operands.push_back(make(kind::constant));
    out->operands[1]->constant = number_value(tokens_.take());
  } else {
    out->name = tokens_.expect_name();
  }
  return out;
}

expression_pointer
expression_parser::parse_subscript(expression_pointer subject) {
  auto out = make(kind::slice);
  tokens_.expect_symbol("[");
  out->operands.push_back(std::move(subject));
  for (int part = 0; part < 3; ++part) {
    const bool is_empty = tokens_.is_symbol(":") || tokens_.is_symbol("]");
    if (is_empty && part == 0 && tokens_.is_symbol("]"))
      tokens_.fail_expecting("an index");
    out->operands.push_back(is_empty ? nullptr : parse());
    if (part == 0 && !tokens_.is_symbol(":")) {
      if (tokens_.is_symbol(","))
        tokens_.fail(failure::unsupported,
                     "several indices in [] are not supported");
      out->kind = kind::element;
      break;
    }
    if (part < 2 && !tokens_.skip_symbol(":"))
      break;
  }
  tokens_.expect_symbol("]");
  if (out->kind == kind::slice)
    out->operands.resize(4);
  return out;
}

given_arguments expression_parser::parse_arguments() {
  const token_stream::level level(tokens_);
  given_arguments out;
  const auto require_order = [this](bool holds) {
    if (!holds)
      tokens_.fail(failure::syntax, "arguments in a wrong order");
  };
  tokens_.expect_symbol("(");
  while (!tokens_.is_symbol(")")) {
    if (tokens_.skip_symbol("*")) {
      require_order(!out.more_positional && !out.more_named);
      out.more_positional = parse();
    } else if (tokens_.skip_symbol("**")) {
      require_order(!out.more_named);
      out.more_named = parse();
    } else if (tokens_.is(token_kind::name) &&
               tokens_.following().is(token_kind::symbol, "=")) {
      require_order(!out.more_named);
      auto name = tokens_.take().text;
      tokens_.take();
      out.named.emplace_back(std::move(name), parse());
    } else {
      require_order(out.named.empty() && !out.more_positional &&
                    !out.more_named);
      out.positional.push_back(parse());
    }
    if (!tokens_.is_symbol(")"))
      tokens_.expect_symbol(",");
  }
  tokens_.take();
  return out;
}

} // namespace ganglion::runtime::chat

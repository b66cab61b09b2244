#include "runtime/chat/parser.hpp"

#include "runtime/chat/expression_parser.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime::chat {

namespace {

using words = std::vector<std::string_view>;

constexpr std::string_view not_offered[] = {"autoescape", "block",   "debug",
                                            "do",         "extends", "from",
                                            "import",     "include", "trans"};

class parser {
public:
  explicit parser(std::string_view source)
      : tokens_(tokenize(source)),
        expressions_(tokens_) {}

  block parse_all() { return parse_block({}); }

private:
  // Up to and without one of the words that end it, which opens a tag.
  block parse_block(const words &ends) {
    const token_stream::level level(tokens_);
    block out;
    while (!tokens_.is(token_kind::end)) {
      statement made;
      made.line = tokens_.current().line;
      if (tokens_.is(token_kind::text)) {
        made.text = tokens_.take().text;
      } else if (tokens_.is(token_kind::begin_output)) {
        tokens_.take();
        made.kind = statement_kind::output;
        made.expressions.push_back(expressions_.parse_tuple());
        tokens_.expect(token_kind::end_output, "'}}'");
      } else {
        tokens_.expect(token_kind::begin_block, "a tag");
        if (tokens_.is(token_kind::name) &&
            std::ranges::count(ends, tokens_.current().text))
          return out;
        parse_statement(made);
        tokens_.expect(token_kind::end_block, "'%}'");
      }
      out.push_back(std::move(made));
    }
    if (!ends.empty())
      tokens_.fail(failure::syntax, "the template ends where {% " +
                                        std::string(ends.back()) +
                                        " %} should be");
    return out;
  }

  // The rest of an opening tag, the body, and the word that ends it.
  std::string parse_body(block &out, const words &ends) {
    tokens_.skip_symbol(":");
    tokens_.expect(token_kind::end_block, "'%}'");
    out = parse_block(ends);
    return tokens_.expect_name();
  }

  void parse_statement(statement &out) {
    if (!tokens_.is(token_kind::name))
      tokens_.fail_expecting("the name of a tag");
    const auto &tag = tokens_.current();
    const auto found = std::ranges::find(parsers, tag.text,
                                         [](const auto &p) { return p.first; });
    if (found != std::end(parsers)) {
      tokens_.take();
      return (this->*found->second)(out);
    }
    if (std::ranges::count(not_offered, tag.text))
      tokens_.fail(failure::unsupported,
                   "{% " + tag.text + " %} is not supported");
    tokens_.fail(failure::syntax, "unknown tag {% " + tag.text + " %}");
  }

  void parse_if(statement &out) {
    out.kind = statement_kind::branch;
    for (;;) {
      out.expressions.push_back(expressions_.parse_tuple(false));
      const auto end =
          parse_body(out.blocks.emplace_back(), {"elif", "else", "endif"});
      if (end == "else")
        parse_body(out.otherwise, {"endif"});
      if (end != "elif")
        return;
    }
  }

  void parse_for(statement &out) {
    out.kind = statement_kind::loop;
    out.targets.push_back(expressions_.parse_target(false, "in"));
    tokens_.expect_word("in");
    out.expressions.push_back(expressions_.parse_tuple(false, "recursive"));
    if (tokens_.skip_word("if"))
      out.condition = expressions_.parse();
    out.recursive = tokens_.skip_word("recursive");
    ++loops_;
    const auto end = parse_body(out.blocks.emplace_back(), {"else", "endfor"});
    --loops_;
    if (end == "else")
      parse_body(out.otherwise, {"endfor"});
  }

  void parse_set(statement &out) {
    out.targets.push_back(expressions_.parse_target(true));
    if (tokens_.skip_symbol("=")) {
      out.kind = statement_kind::assign;
      out.expressions.push_back(expressions_.parse_tuple());
      return;
    }
    out.kind = statement_kind::assign_block;
    out.expressions.push_back(tokens_.skip_symbol("|")
                                  ? expressions_.parse_filters(nullptr)
                                  : nullptr);
    parse_body(out.blocks.emplace_back(), {"endset"});
  }

  void parse_with(statement &out) {
    out.kind = statement_kind::with;
    while (!tokens_.is(token_kind::end_block) && !tokens_.is_symbol(":")) {
      if (!out.targets.empty())
        tokens_.expect_symbol(",");
      target one;
      one.line = tokens_.current().line;
      one.name = tokens_.expect_name();
      out.targets.push_back(std::move(one));
      tokens_.expect_symbol("=");
      out.expressions.push_back(expressions_.parse());
    }
    parse_body(out.blocks.emplace_back(), {"endwith"});
  }

  void parse_parameters(macro_body &out) {
    tokens_.expect_symbol("(");
    while (!tokens_.is_symbol(")")) {
      if (!out.parameters.empty())
        tokens_.expect_symbol(",");
      parameter one;
      one.name = tokens_.expect_name();
      if (tokens_.skip_symbol("="))
        one.fallback = expressions_.parse();
      else if (!out.parameters.empty() && out.parameters.back().fallback)
        tokens_.fail(failure::syntax, "'" + one.name +
                                          "' has no default but follows a "
                                          "parameter that has one");
      out.parameters.push_back(std::move(one));
    }
    tokens_.take();
  }

  void parse_macro_body(macro_body &out, std::string_view end) {
    auto &special = expressions_.special_names;
    const auto outer = std::exchange(special, {});
    const auto loops = std::exchange(loops_, 0);
    parse_body(out.body, {end});
    loops_ = loops;
    out.uses_varargs = std::ranges::count(special, "varargs") > 0;
    out.uses_kwargs = std::ranges::count(special, "kwargs") > 0;
    out.uses_caller = std::ranges::count(special, "caller") > 0;
    special.insert(special.end(), outer.begin(), outer.end());
  }

  void parse_macro(statement &out) {
    out.kind = statement_kind::macro;
    out.macro = std::make_unique<macro_body>();
    out.macro->name = tokens_.expect_name();
    parse_parameters(*out.macro);
    parse_macro_body(*out.macro, "endmacro");
  }

  void parse_call(statement &out) {
    out.kind = statement_kind::call_block;
    out.macro = std::make_unique<macro_body>();
    out.macro->name = "caller";
    if (tokens_.is_symbol("("))
      parse_parameters(*out.macro);
    out.expressions.push_back(expressions_.parse());
    if (out.expressions[0]->kind != expression_kind::call)
      tokens_.fail_expecting("a call after {% call");
    parse_macro_body(*out.macro, "endcall");
  }

  void parse_filter(statement &out) {
    out.kind = statement_kind::filter_block;
    out.expressions.push_back(expressions_.parse_filters(nullptr));
    parse_body(out.blocks.emplace_back(), {"endfilter"});
  }

  void parse_generation(statement &out) {
    out.kind = statement_kind::scope;
    const auto loops = std::exchange(loops_, 0);
    parse_body(out.blocks.emplace_back(), {"endgeneration"});
    loops_ = loops;
  }

  void parse_print(statement &out) {
    out.kind = statement_kind::output;
    while (!tokens_.is(token_kind::end_block)) {
      if (!out.expressions.empty())
        tokens_.expect_symbol(",");
      out.expressions.push_back(expressions_.parse());
    }
  }

  void parse_break(statement &out) { parse_jump(out, statement_kind::leave); }
  void parse_continue(statement &out) { parse_jump(out, statement_kind::next); }

  void parse_jump(statement &out, statement_kind kind) {
    out.kind = kind;
    if (loops_ == 0)
      throw chat_error(failure::syntax,
                       kind == statement_kind::leave
                           ? "{% break %} outside of a loop"
                           : "{% continue %} outside of a loop",
                       out.line);
  }

  using parse_member = void (parser::*)(statement &);
  static const std::pair<std::string_view, parse_member> parsers[11];

  token_stream tokens_;
  expression_parser expressions_;
  std::size_t loops_ = 0;
};

const std::pair<std::string_view, parser::parse_member> parser::parsers[11] = {
    {"if", &parser::parse_if},
    {"for", &parser::parse_for},
    {"set", &parser::parse_set},
    {"with", &parser::parse_with},
    {"macro", &parser::parse_macro},
    {"call", &parser::parse_call},
    {"filter", &parser::parse_filter},
    {"generation", &parser::parse_generation},
    {"print", &parser::parse_print},
    {"break", &parser::parse_break},
    {"continue", &parser::parse_continue}};

} // namespace

syntax_tree parse_template(std::string_view source) {
  return {parser(source).parse_all()};
}

} // namespace ganglion::runtime::chat

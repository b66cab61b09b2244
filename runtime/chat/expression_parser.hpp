// Expressions, by precedence.
#pragma once

#include "runtime/chat/syntax_tree.hpp"
#include "runtime/chat/token_stream.hpp"

namespace ganglion::runtime::chat {

/// Throws `chat_error` for what is malformed, for filters and tests that are
/// not known and for those that are not offered.
class expression_parser {
public:
  explicit expression_parser(token_stream &tokens) : tokens_(tokens) {}

  expression_pointer parse(bool with_conditional = true);
  /// Also a tuple without parentheses, which `end_word` may end.
  expression_pointer parse_tuple(bool with_conditional = true,
                                 std::string_view end_word = {},
                                 bool in_parentheses = false);
  /// A name, or names in a tuple; with `members`, those of namespaces.
  target parse_target(bool members, std::string_view end_word = {});
  /// name(arguments) | ... around `subject`, which may be null.
  expression_pointer parse_filters(expression_pointer subject);

  /// The uses so far of `varargs`, `kwargs` and `caller`.
  std::vector<std::string> special_names;

private:
  expression_pointer parse_conditional();
  expression_pointer parse_binary(int precedence);
  expression_pointer parse_not();
  expression_pointer parse_compare();
  expression_pointer parse_unary(bool with_filters = true);
  expression_pointer parse_primary();
  expression_pointer parse_literal();
  expression_pointer parse_list();
  expression_pointer parse_dict();
  expression_pointer parse_postfix(expression_pointer subject);
  expression_pointer parse_filter_chain(expression_pointer subject);
  expression_pointer parse_filter(expression_pointer subject);
  expression_pointer parse_test(expression_pointer subject);
  expression_pointer parse_member(expression_pointer subject);
  expression_pointer parse_subscript(expression_pointer subject);
  given_arguments parse_arguments();
  bool at_tuple_end(std::string_view end_word) const;
  target parse_one_target(bool members);
  expression_pointer make(expression_kind kind) const;
  void check_depth(std::size_t links) const;

  token_stream &tokens_;
};

} // namespace ganglion::runtime::chat

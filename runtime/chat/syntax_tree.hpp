// A parsed template.
#pragma once

#include "runtime/chat/value.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ganglion::runtime::chat {

struct filter_entry;
struct test_entry;
struct expression;
using expression_pointer = std::unique_ptr<expression>;

enum class expression_kind {
  constant,
  name,
  list,
  tuple,
  dict,     ///< operands: key, value, key, value, ...
  member,   ///< operand.name
  element,  ///< operands[0][operands[1]]
  slice,    ///< operands[0][a:b:c]; any of the three may be null
  call,     ///< operands[0](given)
  filter,   ///< operands[0] | name(given); null: the block's text
  test,     ///< operands[0] is name(given)
  negative, ///< -operand
  positive, ///< +operand
  logical_not,
  logical_and,
  logical_or,
  arithmetic,  ///< name is the operator
  compare,     ///< operands[0] operators[0] operands[1] operators[1] ...
  concat,      ///< all operands as text
  conditional, ///< operands: value, condition, other value or null
};

struct given_arguments {
  std::vector<expression_pointer> positional;
  std::vector<std::pair<std::string, expression_pointer>> named;
  expression_pointer more_positional, more_named; ///< *x and **x
};

struct expression {
  expression_kind kind = expression_kind::constant;
  std::size_t line = 1;
  std::string name;
  value constant;
  std::vector<expression_pointer> operands;
  std::vector<std::string> operators;
  given_arguments given;
  const filter_entry *filter = nullptr;
  const test_entry *test = nullptr;
};

/// What {% set %}, {% for %} and {% with %} write to.
struct target {
  std::string name;
  std::string member;        ///< of the namespace `name`, when not empty
  std::vector<target> parts; ///< of a tuple, which has no name
  bool is_tuple = false;
  std::size_t line = 1;
};

enum class statement_kind {
  text,
  output,
  branch,
  loop,
  assign,
  assign_block,
  with,
  macro,
  call_block,
  filter_block,
  scope, ///< {% generation %}
  leave, ///< {% break %}
  next,  ///< {% continue %}
};

struct statement;
using block = std::vector<statement>;

struct parameter {
  std::string name;
  expression_pointer fallback;
};

/// A macro, or the body of a call block.
struct macro_body {
  std::string name;
  std::vector<parameter> parameters;
  block body;
  bool uses_varargs = false, uses_kwargs = false, uses_caller = false;
};

struct statement {
  statement_kind kind = statement_kind::text;
  std::size_t line = 1;
  std::string text;
  /// output, branch: conditions; loop: iterable; assign: value; with: values;
  /// call_block: the call; assign_block, filter_block: the filter or null.
  std::vector<expression_pointer> expressions;
  std::vector<target> targets;
  /// One per condition of a branch; otherwise the first is the body.
  std::vector<block> blocks;
  block otherwise;
  expression_pointer condition; ///< of a loop's items
  bool recursive = false;
  std::unique_ptr<macro_body> macro;
};

struct syntax_tree {
  block body;
};

} // namespace ganglion::runtime::chat

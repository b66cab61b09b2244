#include "hlo/text/instruction_parser.hpp"

#include "hlo/text/attribute_table.hpp"
#include "hlo/text/attribute_values.hpp"
#include "hlo/text/shape_text.hpp"

#include <algorithm>

namespace ganglion::hlo::text {

namespace {

constexpr std::size_t max_operands = 65536;

std::string quote(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool contains(const std::vector<std::string_view> &list,
              std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

} // namespace

void instruction_parser::read_body() {
  in_.expect("{");
  while (!in_.accept("}"))
    read_instruction();
  if (target_.instructions().empty())
    in_.fail("computation " + quote(target_.name()) + " has no instructions");
  if (root_)
    target_.set_root(root_);
}

/// "ROOT" is a mark unless it is itself the name that is being defined.
bool instruction_parser::read_root_mark() {
  lexer ahead = in_;
  if (!ahead.at_name() || ahead.name() != "ROOT" || ahead.peek("="))
    return false;
  in_ = ahead;
  return true;
}

void instruction_parser::read_instruction() {
  const std::size_t place = in_.place();
  if (budget_.instructions-- <= 0)
    in_.fail("too many instructions");
  const bool is_root = read_root_mark();
  const std::string_view name = in_.value_name();
  in_.expect("=");
  shape form = read_shape(in_);
  const std::size_t op_place = in_.place();
  const std::string_view op_name = in_.name();
  const auto op = opcode_from(op_name);
  if (!op)
    in_.fail_at(op_place, "unknown operation " + quote(op_name));
  attributes attrs;
  std::vector<instruction *> operands;
  read_arguments(*op, form, attrs, operands);
  read_attributes(*op, attrs);
  instruction *added = target_.append(*op, std::move(form), std::move(operands),
                                      std::move(attrs), std::string(name));
  if (!by_name_.emplace(added->name, added).second)
    in_.fail_at(place, "name " + quote(name) + " is defined twice");
  if (is_root && root_)
    in_.fail_at(place, "a second ROOT");
  if (is_root)
    root_ = added;
}

void instruction_parser::read_arguments(opcode op, const shape &form,
                                        attributes &attrs,
                                        std::vector<instruction *> &operands) {
  in_.expect("(");
  if (op == opcode::parameter)
    attrs.parameter_number = in_.integer();
  else if (op == opcode::constant)
    attrs.value = std::make_shared<const literal>(
        read_literal(in_, form, budget_.constant_bytes));
  else
    operands = read_operands();
  in_.expect(")");
}

std::vector<instruction *> instruction_parser::read_operands() {
  std::vector<instruction *> out;
  if (in_.peek(")"))
    return out;
  do {
    if (out.size() == max_operands)
      in_.fail("too many operands");
    out.push_back(read_operand());
  } while (in_.accept(","));
  return out;
}

instruction *instruction_parser::read_operand() {
  const std::size_t place = in_.place();
  std::optional<shape> stated;
  if (at_shape(in_))
    stated = read_shape(in_);
  const std::string_view name = in_.value_name();
  const auto found = by_name_.find(name);
  if (found == by_name_.end())
    in_.fail_at(place, "operand " + quote(name) + " is not defined before");
  if (stated && !compatible(*stated, found->second->form))
    in_.fail_at(place, "operand " + quote(name) + " has the shape " +
                           to_string(found->second->form));
  return found->second;
}

void instruction_parser::read_attributes(opcode op, attributes &attrs) {
  std::vector<std::string_view> seen;
  while (in_.accept(","))
    read_attribute(op, attrs, seen);
  for (const auto &rule : attribute_rules(op))
    if (rule.required && !contains(seen, rule.name))
      in_.fail("attribute " + quote(rule.name) + " of " +
               std::string(to_string(op)) + " is missing");
  for (const computation *callee : attrs.called)
    if (!callee)
      in_.fail("a computation of " + std::string(to_string(op)) +
               " is missing");
  if (attrs.channel_id > 0)
    owner_.note_channel_id(attrs.channel_id);
}

void instruction_parser::read_attribute(opcode op, attributes &attrs,
                                        std::vector<std::string_view> &seen) {
  const std::size_t place = in_.place();
  const std::string_view name = in_.name();
  in_.expect("=");
  if (contains(seen, name))
    in_.fail_at(place, "attribute " + quote(name) + " given twice");
  seen.push_back(name);
  if (name == "frontend_attributes") {
    attrs.frontend = read_frontend(in_);
    return;
  }
  for (const auto &rule : attribute_rules(op))
    if (rule.name == name) {
      rule.read(in_, owner_, attrs);
      return;
    }
  if (!skip_ignorable(in_, name))
    in_.fail_at(place, "unknown attribute " + quote(name) + " of " +
                           std::string(to_string(op)));
}

} // namespace ganglion::hlo::text

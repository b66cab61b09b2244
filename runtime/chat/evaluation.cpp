// Expressions.
#include "runtime/chat/attributes.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/globals.hpp"
#include "runtime/chat/interpreter.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/tests.hpp"
#include "runtime/chat/value_text.hpp"

namespace ganglion::runtime::chat {

value interpreter::evaluate(const expression &e, scope &variables) {
  run_.step();
  const rendering::level level(run_);
  run_.line = e.line;
  const auto operand = [&](std::size_t i) {
    return evaluate(*e.operands[i], variables);
  };
  using kind = expression_kind;
  switch (e.kind) {
  case kind::constant:
    return e.constant;
  case kind::name:
    return evaluate_name(e, variables);
  case kind::list:
  case kind::tuple:
    return evaluate_list(e, variables);
  case kind::dict:
    return evaluate_dict(e, variables);
  case kind::member:
    return member_of(run_, operand(0), e.name);
  case kind::element: {
    const auto subject = operand(0);
    return element_of(run_, subject, operand(1));
  }
  case kind::slice:
    return evaluate_slice(e, variables);
  case kind::call:
    return evaluate_call(e, variables);
  case kind::filter:
    return evaluate_filter(e, variables, nullptr);
  case kind::test: {
    const auto subject = operand(0);
    return e.test->holds(run_, subject, evaluate_arguments(e.given, variables));
  }
  case kind::negative:
    return negative(run_, operand(0));
  case kind::positive:
    return negative(run_, negative(run_, operand(0)));
  case kind::logical_not:
    return !is_true(operand(0));
  case kind::logical_and:
  case kind::logical_or:
    return evaluate_logic(e, variables);
  case kind::arithmetic: {
    const auto left = operand(0);
    const auto right = operand(1);
    run_.line = e.line;
    return arithmetic(run_, left, e.name, right);
  }
  case kind::compare:
    return evaluate_compare(e, variables);
  case kind::concat:
    return evaluate_concat(e, variables);
  case kind::conditional:
    return evaluate_conditional(e, variables);
  }
  return {};
}

value interpreter::evaluate_name(const expression &e, const scope &variables) {
  if (const auto *found = variables.find(e.name))
    return *found;
  if (auto *function = find_global(e.name))
    return *function;
  return rendering::missing("'" + e.name + "' is undefined");
}

value interpreter::evaluate_list(const expression &e, scope &variables) {
  std::vector<value> out;
  for (const auto &operand : e.operands)
    out.push_back(evaluate(*operand, variables));
  return run_.list(std::move(out), e.kind == expression_kind::tuple
                                       ? sequence_kind::tuple
                                       : sequence_kind::list);
}

value interpreter::evaluate_dict(const expression &e, scope &variables) {
  std::vector<value::entry> out;
  for (std::size_t i = 0; i < e.operands.size(); i += 2) {
    auto key = evaluate(*e.operands[i], variables);
    if (key.is_dict() || key.is_sequence(sequence_kind::list))
      run_.fail(failure::type, "unhashable type: '" + type_name(key) + "'");
    auto item = evaluate(*e.operands[i + 1], variables);
    bool replaced = false;
    if (!key.is_string()) // the others value::dict takes care of
      for (auto &[known, old] : out)
        if (equal(run_, known, key)) {
          old = item;
          replaced = true;
        }
    if (!replaced)
      out.emplace_back(std::move(key), std::move(item));
  }
  return run_.dict(std::move(out));
}

value interpreter::evaluate_slice(const expression &e, scope &variables) {
  const auto subject = evaluate(*e.operands[0], variables);
  std::optional<value> parts[3];
  for (std::size_t i = 0; i < 3; ++i)
    if (e.operands[i + 1])
      parts[i] = evaluate(*e.operands[i + 1], variables);
  const auto part = [&](std::size_t i) {
    return parts[i] ? &*parts[i] : nullptr;
  };
  return slice_of(run_, subject, part(0), part(1), part(2));
}

value interpreter::evaluate_filter(const expression &e, scope &variables,
                                   const value *block_text) {
  const rendering::level level(run_);
  const auto *inner = e.operands[0].get();
  value subject;
  if (!inner)
    subject = *block_text;
  else if (block_text && inner->kind == expression_kind::filter)
    subject = evaluate_filter(*inner, variables, block_text);
  else
    subject = evaluate(*inner, variables);
  const auto given = evaluate_arguments(e.given, variables);
  run_.line = e.line;
  return e.filter->apply(run_, subject, given);
}

value interpreter::evaluate_logic(const expression &e, scope &variables) {
  const bool stops_at = e.kind == expression_kind::logical_or;
  value out;
  for (const auto &operand : e.operands) {
    out = evaluate(*operand, variables);
    if (is_true(out) == stops_at)
      break;
  }
  return out;
}

value interpreter::evaluate_compare(const expression &e, scope &variables) {
  auto left = evaluate(*e.operands[0], variables);
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    auto right = evaluate(*e.operands[i + 1], variables);
    run_.line = e.line;
    if (!compare(run_, left, e.operators[i], right))
      return false;
    left = std::move(right);
  }
  return true;
}

value interpreter::evaluate_concat(const expression &e, scope &variables) {
  std::string out;
  for (const auto &operand : e.operands)
    run_.emit(out, to_text(run_, evaluate(*operand, variables)));
  return run_.text(std::move(out));
}

value interpreter::evaluate_conditional(const expression &e, scope &variables) {
  if (is_true(evaluate(*e.operands[1], variables)))
    return evaluate(*e.operands[0], variables);
  if (e.operands[2])
    return evaluate(*e.operands[2], variables);
  return rendering::missing("the inline if-expression on line " +
                            std::to_string(e.line) +
                            " evaluated to false and no else section was "
                            "defined.");
}

} // namespace ganglion::runtime::chat

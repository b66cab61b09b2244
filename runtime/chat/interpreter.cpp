#include "runtime/chat/interpreter.hpp"

#include "runtime/chat/loop_object.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/value_text.hpp"

namespace ganglion::runtime::chat {

scope &interpreter::new_scope(scope &around) {
  return run_.own<scope>(&around);
}

interpreter::flow interpreter::execute(const block &all, scope &variables,
                                       std::string &out) {
  const rendering::level level(run_);
  for (const auto &s : all)
    if (const auto ended = execute(s, variables, out); ended != flow::normal)
      return ended;
  return flow::normal;
}

interpreter::flow interpreter::execute(const statement &s, scope &variables,
                                       std::string &out) {
  run_.step();
  run_.line = s.line;
  switch (s.kind) {
  case statement_kind::text:
    run_.emit(out, s.text);
    break;
  case statement_kind::output:
    for (const auto &e : s.expressions)
      run_.emit(out, to_text(run_, evaluate(*e, variables)));
    break;
  case statement_kind::branch:
    return execute_branch(s, variables, out);
  case statement_kind::loop:
    execute_loop(s, evaluate(*s.expressions[0], variables), variables, out, 1);
    break;
  case statement_kind::assign:
    assign(s.targets[0], evaluate(*s.expressions[0], variables), variables);
    break;
  case statement_kind::assign_block:
    assign(s.targets[0],
           captured(s.blocks[0], variables, s.expressions[0].get()), variables);
    break;
  case statement_kind::with:
    execute_with(s, variables, out);
    break;
  case statement_kind::macro:
    for (auto *outer = &variables; outer && !outer->kept;
         outer = outer->parent())
      outer->kept = true;
    variables.set(s.macro->name,
                  run_.own<macro_object>(*this, *s.macro, variables));
    break;
  case statement_kind::call_block:
    execute_call_block(s, variables, out);
    break;
  case statement_kind::filter_block:
    run_.emit(out, to_text(run_, captured(s.blocks[0], variables,
                                          s.expressions[0].get())));
    break;
  case statement_kind::scope:
    execute(s.blocks[0], new_scope(variables), out);
    break;
  case statement_kind::leave:
    return flow::leave;
  case statement_kind::next:
    return flow::next;
  }
  return flow::normal;
}

interpreter::flow interpreter::execute_branch(const statement &s,
                                              scope &variables,
                                              std::string &out) {
  for (std::size_t i = 0; i < s.blocks.size(); ++i)
    if (is_true(evaluate(*s.expressions[i], variables)))
      return execute(s.blocks[i], variables, out);
  return execute(s.otherwise, variables, out);
}

void interpreter::execute_with(const statement &s, scope &variables,
                               std::string &out) {
  auto &inner = new_scope(variables);
  std::vector<value> values;
  for (const auto &e : s.expressions)
    values.push_back(evaluate(*e, variables));
  for (std::size_t i = 0; i < values.size(); ++i)
    inner.set(s.targets[i].name, values[i]);
  execute(s.blocks[0], inner, out);
}

void interpreter::execute_call_block(const statement &s, scope &variables,
                                     std::string &out) {
  for (auto *outer = &variables; outer && !outer->kept; outer = outer->parent())
    outer->kept = true;
  const value caller = run_.own<macro_object>(*this, *s.macro, variables);
  run_.emit(
      out, to_text(run_, evaluate_call(*s.expressions[0], variables, &caller)));
}

void interpreter::execute_loop(const statement &s, const value &items,
                               scope &variables, std::string &out,
                               std::size_t depth) {
  loop_object::keeps_item keeps;
  if (s.condition)
    keeps = [&](const value &item) {
      auto &inner = new_scope(variables);
      assign(s.targets[0], item, inner);
      return is_true(evaluate(*s.condition, inner));
    };
  loop_object::run_again again;
  if (s.recursive)
    again = [&, depth](const value &children) {
      std::string text;
      const rendering::level level(run_);
      execute_loop(s, children, variables, text, depth + 1);
      return run_.text(std::move(text));
    };
  auto &loop = run_.own<loop_object>(items_of(run_, items), std::move(keeps),
                                     std::move(again), depth);
  auto *inner = &new_scope(variables);
  bool any = false;
  while (loop.advance()) {
    any = true;
    run_.step();
    if (inner->kept)
      inner = &new_scope(variables);
    inner->clear();
    inner->set("loop", loop);
    assign(s.targets[0], loop.current(), *inner);
    if (execute(s.blocks[0], *inner, out) == flow::leave)
      break;
  }
  if (!inner->kept)
    inner->clear();
  loop.finish();
  if (!any)
    execute(s.otherwise, new_scope(variables), out);
}

void interpreter::assign(const target &to, value item, scope &variables) {
  if (to.is_tuple)
    return unpack(to, item, variables);
  if (to.member.empty()) {
    run_.reserve(sizeof(value));
    return variables.set(to.name, std::move(item));
  }
  const auto *found = variables.find(to.name);
  auto *space = found && found->is_object()
                    ? dynamic_cast<namespace_object *>(&found->as_object())
                    : nullptr;
  if (!space)
    run_.fail(failure::type, "cannot assign attribute on non-namespace object");
  space->set(run_, to.member, std::move(item));
}

void interpreter::unpack(const target &to, const value &item,
                         scope &variables) {
  const auto items = items_of(run_, item);
  const auto wanted = std::to_string(to.parts.size());
  if (items.size() < to.parts.size())
    run_.fail(failure::value, "not enough values to unpack (expected " +
                                  wanted + ", got " +
                                  std::to_string(items.size()) + ")");
  if (items.size() > to.parts.size())
    run_.fail(failure::value,
              "too many values to unpack (expected " + wanted + ")");
  for (std::size_t i = 0; i < items.size(); ++i)
    assign(to.parts[i], items[i], variables);
}

value interpreter::captured(const block &body, scope &variables,
                            const expression *filter) {
  std::string text;
  execute(body, new_scope(variables), text);
  const value out = run_.text(std::move(text));
  return filter ? evaluate_filter(*filter, variables, &out) : out;
}

} // namespace ganglion::runtime::chat

// Calls: of macros, functions, methods.
#include "runtime/chat/attributes.hpp"
#include "runtime/chat/interpreter.hpp"
#include "runtime/chat/methods.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

value interpreter::call_macro(const macro_body &macro, scope &around,
                              const arguments &given) {
  const rendering::level level(run_);
  const auto line = run_.line;
  auto &inner = new_scope(around);
  bind_parameters(macro, inner, given);
  std::string out;
  execute(macro.body, inner, out);
  run_.line = line;
  return run_.text(std::move(out));
}

void interpreter::bind_parameters(const macro_body &macro, scope &inner,
                                  const arguments &given) {
  auto named = given.named;
  const auto take = [&](std::string_view name) -> std::optional<value> {
    const auto found = std::ranges::find(
        named, name, [](const auto &n) -> std::string_view { return n.first; });
    if (found == named.end())
      return std::nullopt;
    const auto out = found->second;
    named.erase(found);
    return out;
  };
  const auto &parameters = macro.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto &[name, fallback] = parameters[i];
    std::optional<value> item;
    if (i < given.positional.size())
      item = given.positional[i];
    else
      item = take(name);
    if (!item)
      item =
          fallback
              ? evaluate(*fallback, inner)
              : rendering::missing("parameter '" + name + "' was not provided");
    inner.set(name, *item);
  }
  const std::string title = "macro '" + macro.name + "' ";
  if (macro.uses_caller)
    inner.set("caller",
              take("caller").value_or(rendering::missing("No caller defined")));
  if (macro.uses_kwargs) {
    std::vector<value::entry> rest;
    for (const auto &[name, item] : named)
      rest.emplace_back(name, item);
    inner.set("kwargs", run_.dict(std::move(rest)));
  } else if (!named.empty()) {
    run_.fail(failure::type,
              title + "takes no keyword argument '" + named[0].first + "'");
  }
  const auto used = std::min(parameters.size(), given.positional.size());
  if (macro.uses_varargs)
    inner.set("varargs", run_.list({given.positional.begin() +
                                        static_cast<std::ptrdiff_t>(used),
                                    given.positional.end()},
                                   sequence_kind::tuple));
  else if (given.positional.size() > used)
    run_.fail(failure::type, title + "takes not more than " +
                                 std::to_string(parameters.size()) +
                                 " argument(s)");
}

arguments interpreter::evaluate_arguments(const given_arguments &given,
                                          scope &variables) {
  arguments out;
  for (const auto &e : given.positional)
    out.positional.push_back(evaluate(*e, variables));
  if (given.more_positional)
    for (auto &item :
         items_of(run_, evaluate(*given.more_positional, variables)))
      out.positional.push_back(std::move(item));
  for (const auto &[name, e] : given.named)
    out.named.emplace_back(name, evaluate(*e, variables));
  if (!given.more_named)
    return out;
  const auto more = evaluate(*given.more_named, variables);
  if (!more.is_dict())
    run_.fail(failure::type,
              "argument after ** must be a mapping, not " + type_name(more));
  for (const auto &[name, item] : more.as_dict().entries) {
    if (!name.is_string())
      run_.fail(failure::type, "keywords must be strings");
    run_.reserve(name.as_string().size() + sizeof(value));
    out.named.emplace_back(name.as_string(), item);
  }
  return out;
}

value interpreter::evaluate_call(const expression &e, scope &variables,
                                 const value *caller) {
  const auto &callee = *e.operands[0];
  const auto with_caller = [&](arguments given) {
    if (caller)
      given.named.emplace_back("caller", *caller);
    return given;
  };
  // value.method(...) without an object for the method
  if (callee.kind == expression_kind::member) {
    const auto receiver = evaluate(*callee.operands[0], variables);
    run_.line = e.line;
    if (!receiver.is_object() &&
        find_method(receiver, callee.name) == method_status::offered)
      return *call_method(run_, receiver, callee.name,
                          with_caller(evaluate_arguments(e.given, variables)));
    return call_value(member_of(run_, receiver, callee.name),
                      with_caller(evaluate_arguments(e.given, variables)), e);
  }
  return call_value(evaluate(callee, variables),
                    with_caller(evaluate_arguments(e.given, variables)), e);
}

value interpreter::call_value(const value &callee, const arguments &given,
                              const expression &e) {
  run_.line = e.line;
  require_defined(run_, callee);
  if (!callee.is_object())
    run_.fail(failure::type,
              "'" + type_name(callee) + "' object is not callable");
  return callee.as_object().call(run_, given);
}

} // namespace ganglion::runtime::chat

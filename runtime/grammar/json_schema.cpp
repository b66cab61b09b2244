#include "runtime/grammar/json_schema.hpp"

#include "runtime/grammar/schema_compiler.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

using json::value;

expr json_schema(builder &to, json_text &texts, const value &schema) {
  return schema_compiler(to, texts, schema).compile(schema);
}

namespace {

/// Branches of a "oneOf", which are compared in pairs.
constexpr std::size_t most_exclusive = 32;

/// Only annotations, and "type" where `type_too`, may stand beside `name`.
void check_alone(const value &schema, std::string_view name, bool type_too) {
  for (const auto &[key, member] : schema.members()) {
    const auto kind = keyword_of(member, key).kind;
    if (key != name && kind != keyword_kind::annotation &&
        !(type_too && kind == keyword_kind::type))
      refuse_schema(member, "'" + key + "' beside '" + std::string(name) +
                                "' is not supported");
  }
}

} // namespace

expr schema_compiler::compile(const value &schema) {
  if (++nesting_ > to_.bounds().nesting)
    reject_schema(schema, "schemas are nested too deeply");
  if (schema.is_bool() && !schema.as_bool())
    reject_schema(schema, "false accepts no text");
  const expr out =
      schema.is_bool() ? texts_.any_value() : compile_object(schema);
  --nesting_;
  return out;
}

expr schema_compiler::compile_object(const value &schema) {
  if (!schema.is_object())
    reject_schema(schema, "a schema is an object, true or false");
  unsigned limited = 0;
  for (const auto &[name, member] : schema.members())
    limited |= keyword_of(member, name).kind != keyword_kind::annotation;
  if (!limited)
    return texts_.any_value();
  if (const auto at = member_of(schema, "$ref")) {
    check_alone(schema, "$ref", false);
    return reference(*at);
  }
  if (auto given = values_of(schema)) {
    check_alone(schema, member_of(schema, "const") ? "const" : "enum", true);
    return values(schema, std::move(*given));
  }
  if (const auto branches = member_of(schema, "anyOf")) {
    check_alone(schema, "anyOf", false);
    return any_of(*branches);
  }
  if (const auto branches = member_of(schema, "oneOf")) {
    check_alone(schema, "oneOf", false);
    return one_of(*branches);
  }
  if (const auto branches = member_of(schema, "allOf"))
    return all_of(schema, *branches);
  return typed(schema, types_of(schema));
}

/// A reference is a call, so that schemas may refer to themselves.
expr schema_compiler::reference(const value &at) {
  const std::string pointer = at.as_string();
  const auto known = references_.find(pointer);
  if (known != references_.end())
    return to_.call(known->second);
  const value target = referred(root_, at);
  const rule made = to_.declare(pointer);
  references_.emplace(pointer, made);
  to_.define(made, compile(target));
  return to_.call(made);
}

expr schema_compiler::values(const value &schema, std::vector<value> given) {
  if (member_of(schema, "type")) {
    const unsigned types = types_of(schema);
    std::erase_if(given,
                  [&](const value &v) { return (type_of(v) & types) == 0; });
  }
  if (given.empty())
    reject_schema(schema, "no value is left to choose from");
  std::vector<std::string> texts;
  for (const auto &v : given)
    texts.push_back(v.dump());
  return to_.one_of(std::move(texts));
}

expr schema_compiler::any_of(const value &branches) {
  std::vector<expr> ways;
  for (const auto &branch : branches.items())
    ways.push_back(compile(branch));
  if (ways.empty())
    reject_schema(branches, "a choice of nothing");
  return to_.any_of(ways);
}

/// Exactly one branch may hold: accepted where that is the same as any.
expr schema_compiler::one_of(const value &branches) {
  const auto all = branches.items();
  if (all.size() > most_exclusive)
    refuse_schema(branches, "more than " + std::to_string(most_exclusive) +
                                " branches are not supported");
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (!are_disjoint(root_, all[k], all[i]))
        refuse_schema(all[i],
                      "a text may satisfy this branch and an earlier one; "
                      "accepted: branches of different types, values, or "
                      "values of a required member; or anyOf");
  return any_of(branches);
}

expr schema_compiler::all_of(const value &schema, const value &branches) {
  const auto all = branches.items();
  if (all.size() != 1)
    return object(schema);
  const auto members = schema.members();
  const bool alone = std::ranges::all_of(members, [](const auto &m) {
    return m.first == "allOf" ||
           keyword_of(m.second, m.first).kind == keyword_kind::annotation;
  });
  return alone ? compile(all[0]) : object(schema);
}

expr schema_compiler::typed(const value &schema, unsigned types) {
  std::vector<expr> ways;
  if (types & object_type)
    ways.push_back(object(schema));
  if (types & array_type)
    ways.push_back(array(schema));
  if (types & string_type)
    ways.push_back(string(schema));
  if (types & (number_type | integer_type))
    ways.push_back(number(schema, types));
  if (types & boolean_type)
    ways.push_back(texts_.boolean());
  if (types & null_type)
    ways.push_back(texts_.null());
  return to_.any_of(ways);
}

} // namespace ganglion::runtime::grammar

#include "runtime/grammar/schema_reading.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace ganglion::runtime::grammar {

using json::value;

namespace {

using enum keyword_kind;

constexpr keyword keywords[] = {
    {"title", annotation},
    {"description", annotation},
    {"default", annotation},
    {"example", annotation},
    {"examples", annotation},
    {"deprecated", annotation},
    {"readOnly", annotation},
    {"writeOnly", annotation},
    {"$schema", annotation},
    {"$id", annotation},
    {"$comment", annotation},
    {"$defs", annotation},
    {"definitions", annotation},
    {"$ref", reference},
    {"enum", values},
    {"const", values},
    {"anyOf", combination},
    {"oneOf", combination},
    {"allOf", combination},
    {"type", type},
    {"properties", of_types, object_type},
    {"required", of_types, object_type},
    {"additionalProperties", of_types, object_type},
    {"items", of_types, array_type},
    {"prefixItems", of_types, array_type},
    {"minItems", of_types, array_type},
    {"maxItems", of_types, array_type},
    {"minLength", of_types, string_type},
    {"maxLength", of_types, string_type},
    {"pattern", of_types, string_type},
    {"format", of_types, string_type},
    {"minimum", of_types, integer_type | number_type},
    {"maximum", of_types, integer_type | number_type},
    {"exclusiveMinimum", of_types, integer_type | number_type},
    {"exclusiveMaximum", of_types, integer_type | number_type},
};

struct type_name {
  std::string_view name;
  unsigned types;
};
constexpr type_name type_names[] = {
    {"null", null_type},       {"boolean", boolean_type},
    {"integer", integer_type}, {"number", number_type | integer_type},
    {"string", string_type},   {"array", array_type},
    {"object", object_type},
};

unsigned named_type(const value &v) {
  const auto name = v.as_string_view();
  for (const auto &row : type_names)
    if (row.name == name)
      return row.types;
  reject_schema(v, "'" + std::string(name) +
                       "' is no type; accepted: null, boolean, integer, "
                       "number, string, array, object");
}

} // namespace

void refuse_schema(const value &at, const std::string &why) {
  throw error(error_code::unsupported, why, at.where(), at.path());
}

void reject_schema(const value &at, const std::string &why) {
  throw error(error_code::invalid_argument, why, at.where(), at.path());
}

std::optional<value> member_of(const value &schema, std::string_view name) {
  if (schema.is_object())
    for (const auto &[key, member] : schema.members())
      if (key == name)
        return member;
  return std::nullopt;
}

const keyword &keyword_of(const value &member, std::string_view name) {
  for (const keyword &row : keywords)
    if (row.name == name)
      return row;
  refuse_schema(member, "the keyword '" + std::string(name) +
                            "' is not supported; docs/structured_output.md "
                            "names those that are");
}

unsigned type_of(const value &v) {
  return v.is_null()      ? null_type
         : v.is_bool()    ? boolean_type
         : v.is_integer() ? integer_type
         : v.is_number()  ? number_type
         : v.is_string()  ? string_type
         : v.is_array()   ? array_type
                          : object_type;
}

unsigned types_of(const value &schema) {
  if (const auto listed = member_of(schema, "type")) {
    unsigned out = 0;
    if (!listed->is_array())
      return named_type(*listed);
    for (const auto &name : listed->items())
      out |= named_type(name);
    return out;
  }
  unsigned out = 0;
  if (const auto given = values_of(schema)) {
    for (const auto &v : *given)
      out |= type_of(v);
    return out;
  }
  for (const auto &[name, member] : schema.members())
    out |= keyword_of(member, name).types;
  return out == 0 ? every_type : out;
}

std::optional<std::vector<value>> values_of(const value &schema) {
  if (const auto one = member_of(schema, "const"))
    return std::vector{*one};
  if (const auto some = member_of(schema, "enum"))
    return some->items();
  return std::nullopt;
}

// --- references --------------------------------------------------------------

namespace {

/// "a~1b%20c" is the name "a/b c".
std::string unescaped(std::string_view step) {
  std::string out;
  for (std::size_t i = 0; i < step.size(); ++i) {
    unsigned byte = 0;
    const auto rest = step.substr(i);
    if (rest.starts_with("~0") || rest.starts_with("~1")) {
      out += rest[1] == '0' ? '~' : '/';
      ++i;
    } else if (rest.size() > 2 && rest[0] == '%' &&
               std::from_chars(&rest[1], &rest[1] + 2, byte, 16).ptr ==
                   &rest[1] + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += step[i];
    }
  }
  return out;
}

std::optional<value> step_into(const value &from, const std::string &name) {
  if (!from.is_array())
    return from.is_object() ? from.find(name) : std::nullopt;
  const auto items = from.items();
  std::size_t place = 0;
  const auto end = name.data() + name.size();
  if (std::from_chars(name.data(), end, place).ptr != end ||
      place >= items.size() || name.empty())
    return std::nullopt;
  return items[place];
}

} // namespace

value referred(const value &root, const value &reference) {
  std::string_view rest = reference.as_string_view();
  if (!rest.starts_with('#'))
    refuse_schema(reference,
                  "only references into the schema itself, which start with "
                  "#, are supported");
  rest.remove_prefix(1);
  if (!rest.empty() && rest[0] != '/')
    refuse_schema(reference, "references to anchors are not supported");
  value at = root;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(step.size());
    const auto next = step_into(at, unescaped(step));
    if (!next)
      reject_schema(reference, "the reference points to nothing");
    at = *next;
  }
  return at;
}

// --- what excludes what ------------------------------------------------------

namespace {

/// References in a row before they are taken to be a circle.
constexpr int most_references = 32;

value resolved(const value &root, value at) {
  for (int i = 0; i < most_references; ++i) {
    const auto reference = member_of(at, "$ref");
    if (!reference)
      return at;
    at = referred(root, *reference);
  }
  reject_schema(at, "references that refer to each other");
}

/// Equal for equal values: 1 is 1.0.
std::string identity(const value &v) {
  return v.is_number() ? json::number(v.as_double()) : v.dump();
}

bool share_no_value(const value &a, const value &b) {
  const auto of_a = values_of(a), of_b = values_of(b);
  if (!of_a || !of_b)
    return false;
  std::set<std::string> texts;
  for (const auto &v : *of_a)
    texts.insert(identity(v));
  return std::ranges::none_of(
      *of_b, [&](const auto &v) { return texts.contains(identity(v)); });
}

std::set<std::string> required_names(const value &schema) {
  std::set<std::string> out;
  if (const auto required = member_of(schema, "required"))
    for (const auto &name : required->items())
      out.insert(name.as_string());
  return out;
}

/// The members that are described and required.
std::map<std::string, value> certain_members(const value &schema) {
  std::map<std::string, value> out;
  const auto names = required_names(schema);
  if (const auto described = member_of(schema, "properties"))
    for (const auto &[name, member] : described->members())
      if (names.contains(name))
        out.emplace(name, member);
  return out;
}

/// Both must be objects with a member that cannot suit both.
bool differ_in_a_member(const value &root, const value &a, const value &b) {
  if (types_of(a) != object_type || types_of(b) != object_type)
    return false;
  const auto of_b = certain_members(b);
  return std::ranges::any_of(certain_members(a), [&](const auto &m) {
    const auto other = of_b.find(m.first);
    return other != of_b.end() && share_no_value(resolved(root, m.second),
                                                 resolved(root, other->second));
  });
}

} // namespace

bool are_disjoint(const value &root, const value &a, const value &b) {
  const value x = resolved(root, a), y = resolved(root, b);
  if (!x.is_object() || !y.is_object())
    return false;
  return (types_of(x) & types_of(y)) == 0 || share_no_value(x, y) ||
         differ_in_a_member(root, x, y);
}

} // namespace ganglion::runtime::grammar

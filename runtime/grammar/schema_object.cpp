#include "runtime/grammar/schema_compiler.hpp"
#include "runtime/grammar/text_form.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

using json::value;

namespace {

/// Schemas of one "allOf" within the other.
constexpr int deepest_all_of = 16;
/// Schemas in all, references counted as often as they are met.
constexpr std::size_t most_parts = 1000;
/// Characters of a member's name where others are told from it.
constexpr std::size_t longest_name = 512;

std::u32string code_points_of(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const auto step = next_code_point(text);
    out.push_back(step.value);
    text.remove_prefix(step.length);
  }
  return out;
}

} // namespace

expr schema_compiler::object(const value &schema) {
  object_parts parts;
  collect(schema, parts, 0);
  return object_of(std::move(parts));
}

/// What `schema` and the schemas of its "allOf" ask of an object.
void schema_compiler::collect(const value &schema, object_parts &into,
                              int nesting) {
  if (nesting > deepest_all_of || ++into.schemas > most_parts)
    reject_schema(schema,
                  "allOf is nested too deeply or has too many branches");
  if (!schema.is_object())
    refuse_schema(schema, "only objects are supported within allOf");
  for (const auto &[key, member] : schema.members()) {
    const keyword &known = keyword_of(member, key);
    if (key == "allOf") {
      for (const auto &branch : member.items())
        collect(branch, into, nesting + 1);
    } else if (key == "$ref") {
      collect(referred(root_, member), into, nesting + 1);
    } else if (key == "properties") {
      into.describes = true;
      for (const auto &property : member.members()) {
        if (!into.names.insert(property.first).second)
          refuse_schema(property.second, "the member is described twice");
        into.properties.push_back(property);
      }
    } else if (key == "required") {
      for (const auto &name : member.items())
        into.required.emplace(name.as_string(), name);
    } else if (key == "additionalProperties") {
      if (nesting > 0)
        refuse_schema(member, "not supported within allOf");
      into.additional = member;
    } else if (key == "type") {
      if (nesting > 0 && types_of(schema) != object_type)
        refuse_schema(member, "only objects are supported within allOf");
    } else if (known.kind != keyword_kind::annotation &&
               (nesting > 0 || member_of(schema, "allOf"))) {
      refuse_schema(member, "'" + key + "' is not supported with allOf");
    }
  }
}

/// Members that are required but not described are described by
/// "additionalProperties".
expr schema_compiler::object_of(object_parts parts) {
  for (const auto &[name, at] : parts.required) {
    if (parts.names.contains(name))
      continue;
    if (!parts.additional || parts.additional->is_bool()) {
      if (parts.additional && !parts.additional->as_bool())
        reject_schema(at, "the member is required and not allowed");
      reject_schema(at, "the member is required and not described in "
                        "properties");
    }
    parts.properties.emplace_back(name, *parts.additional);
  }
  // Without a word about others there are none beside those described.
  const bool more = parts.additional ? !parts.additional->is_bool() ||
                                           parts.additional->as_bool()
                                     : !parts.describes;
  if (!more && parts.properties.empty())
    return to_.sequence({texts_.bracket('{'), to_.literal("}")});
  const auto extra = more ? extra_member(parts) : std::nullopt;
  if (parts.properties.empty())
    return texts_.list('{', *extra, 0, no_bound, '}');
  return members(parts, extra);
}

/// The members in order, optional ones or not; then others. A rule for what
/// may follow each member keeps the size linear.
expr schema_compiler::members(const object_parts &parts,
                              std::optional<expr> extra) {
  const std::size_t count = parts.properties.size();
  std::vector<expr> each;
  for (const auto &[key, schema] : parts.properties) {
    const rule content = to_.add(schema.path(), compile(schema));
    each.push_back(texts_.member(name(key), to_.call(content)));
  }
  const auto needed = [&](std::size_t i) {
    return parts.required.contains(parts.properties[i].first);
  };
  expr rest = texts_.closing('}');
  if (extra)
    rest = to_.sequence(
        {to_.repeat(to_.sequence({texts_.comma(), *extra}), 0, no_bound),
         rest});
  // What follows when all are left out.
  std::vector<expr> ways;
  if (std::ranges::none_of(parts.properties, [&](const auto &p) {
        return parts.required.contains(p.first);
      })) {
    ways.push_back(to_.literal("}"));
    if (extra)
      ways.push_back(to_.sequence({*extra, rest}));
  }
  std::vector<expr> starts(count);
  for (std::size_t i = count; i-- > 0;) {
    const expr after = to_.call(to_.add("members", rest));
    starts[i] = to_.sequence({each[i], after});
    const expr later = to_.sequence({texts_.comma(), each[i]});
    rest = to_.sequence({needed(i) ? later : to_.optional(later), after});
  }
  // The first member that is there is at or before the first required one.
  for (std::size_t i = 0; i < count; ++i) {
    ways.push_back(starts[i]);
    if (needed(i))
      break;
  }
  return to_.sequence({texts_.bracket('{'), to_.any_of(ways)});
}

expr schema_compiler::name(const std::string &text) {
  return to_.literal(json::quote(text));
}

/// A member with another name than those described.
std::optional<expr> schema_compiler::extra_member(const object_parts &parts) {
  expr content = texts_.any_value();
  if (parts.additional && !parts.additional->is_bool())
    content =
        to_.call(to_.add(parts.additional->path(), compile(*parts.additional)));
  if (parts.properties.empty())
    return texts_.member(texts_.string(), content);
  std::vector<std::u32string> names;
  for (const auto &[key, schema] : parts.properties) {
    names.push_back(code_points_of(key));
    if (names.back().size() > longest_name)
      refuse_schema(schema, "a name of more than " +
                                std::to_string(longest_name) +
                                " characters beside other members is not "
                                "supported");
  }
  std::ranges::sort(names);
  const expr other = to_.sequence(
      {to_.literal("\""), other_name(std::move(names), 0), to_.literal("\"")});
  return texts_.member(other, content);
}

/// Strings that are none of `names`, which share their first `skip`
/// characters. Written without escapes, which could write a name differently.
expr schema_compiler::other_name(std::vector<std::u32string> names,
                                 std::size_t skip) {
  code_points plain = code_points(0x20, 0x10FFFF).minus({'"', '"'});
  plain = plain.minus({'\\', '\\'});
  const expr rest = to_.repeat(to_.character(plain), 0, no_bound);
  std::vector<expr> ways;
  code_points taken;
  const bool ends_here = names.front().size() == skip;
  if (!ends_here)
    ways.push_back(to_.empty());
  for (std::size_t first = ends_here ? 1 : 0; first < names.size();) {
    const char32_t c = names[first][skip];
    std::size_t last = first;
    while (last < names.size() && names[last][skip] == c)
      ++last;
    taken.add(c, c);
    if (plain.contains(c))
      ways.push_back(to_.sequence(
          {to_.character({c, c}),
           other_name({names.begin() + static_cast<std::ptrdiff_t>(first),
                       names.begin() + static_cast<std::ptrdiff_t>(last)},
                      skip + 1)}));
    first = last;
  }
  ways.push_back(to_.sequence({to_.character(plain.minus(taken)), rest}));
  return to_.any_of(ways);
}

} // namespace ganglion::runtime::grammar

// JSON schema validation as its specification words it, for the keywords that
// the grammars know. Written apart from them: it looks at values, not texts.
#pragma once

#include "runtime/json/reader.hpp"

#include <cmath>
#include <regex>
#include <set>
#include <string>

namespace ganglion::testing {

class schema_validator {
public:
  explicit schema_validator(json::value root) : root_(std::move(root)) {}

  bool valid(const json::value &v) const { return valid(root_, v); }

private:
  using value = json::value;

  static bool equal(const value &a, const value &b) {
    if (a.is_number() && b.is_number())
      return a.as_double() == b.as_double();
    if (a.is_object() && b.is_object()) {
      const auto x = a.members(), y = b.members();
      return x.size() == y.size() && std::ranges::all_of(x, [&](const auto &m) {
               return std::ranges::any_of(y, [&](const auto &n) {
                 return m.first == n.first && equal(m.second, n.second);
               });
             });
    }
    if (a.is_array() && b.is_array()) {
      const auto x = a.items(), y = b.items();
      return std::ranges::equal(x, y, equal);
    }
    return a.dump() == b.dump();
  }

  static bool has_type(const value &v, std::string_view type) {
    if (type == "null")
      return v.is_null();
    if (type == "boolean")
      return v.is_bool();
    if (type == "integer")
      return v.is_number() && std::floor(v.as_double()) == v.as_double();
    if (type == "number")
      return v.is_number();
    if (type == "string")
      return v.is_string();
    return type == "array" ? v.is_array() : v.is_object();
  }

  bool valid(const value &schema, const value &v) const {
    if (schema.is_bool())
      return schema.as_bool();
    for (const auto &[name, argument] : schema.members())
      if (!holds(schema, name, argument, v))
        return false;
    return true;
  }

  int count_valid(const value &schemas, const value &v) const {
    int out = 0;
    for (const auto &schema : schemas.items())
      out += valid(schema, v);
    return out;
  }

  bool holds(const value &schema, const std::string &name, const value &arg,
             const value &v) const {
    if (name == "$ref")
      return valid(at(arg.as_string()), v);
    if (name == "enum") {
      const auto some = arg.items();
      return std::ranges::any_of(some,
                                 [&](const auto &x) { return equal(x, v); });
    }
    if (name == "const")
      return equal(arg, v);
    if (name == "anyOf")
      return count_valid(arg, v) > 0;
    if (name == "oneOf")
      return count_valid(arg, v) == 1;
    if (name == "allOf")
      return count_valid(arg, v) == static_cast<int>(arg.items().size());
    if (name == "type")
      return type_holds(arg, v);
    if (v.is_object())
      return object_holds(schema, name, arg, v);
    if (v.is_array())
      return array_holds(schema, name, arg, v);
    if (v.is_string())
      return string_holds(name, arg, v);
    return !v.is_number() || number_holds(name, arg, v.as_double());
  }

  static bool type_holds(const value &arg, const value &v) {
    if (!arg.is_array())
      return has_type(v, arg.as_string_view());
    const auto types = arg.items();
    return std::ranges::any_of(
        types, [&](const auto &t) { return has_type(v, t.as_string_view()); });
  }

  bool object_holds(const value &schema, const std::string &name,
                    const value &arg, const value &v) const {
    std::set<std::string> keys;
    for (const auto &[key, member] : v.members())
      if (!keys.insert(key).second)
        return false; // no reader agrees with another on these
    if (name == "required") {
      for (const auto &key : arg.items())
        if (!keys.contains(key.as_string()))
          return false;
    } else if (name == "properties") {
      for (const auto &[key, member] : v.members())
        for (const auto &[described, inner] : arg.members())
          if (key == described && !valid(inner, member))
            return false;
    } else if (name == "additionalProperties") {
      const auto described = schema.find("properties");
      for (const auto &[key, member] : v.members())
        if ((!described || !described->find(key)) && !valid(arg, member))
          return false;
    }
    return true;
  }

  bool array_holds(const value &schema, const std::string &name,
                   const value &arg, const value &v) const {
    const auto items = v.items();
    const auto prefix = schema.find("prefixItems");
    const std::size_t first = prefix ? prefix->items().size() : 0;
    if (name == "minItems")
      return static_cast<std::int64_t>(items.size()) >= arg.as_int();
    if (name == "maxItems")
      return static_cast<std::int64_t>(items.size()) <= arg.as_int();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (name == "prefixItems" && i < first &&
          !valid(arg.items()[i], items[i]))
        return false;
      if (name == "items" && i >= first && !valid(arg, items[i]))
        return false;
    }
    return true;
  }

  static bool string_holds(const std::string &name, const value &arg,
                           const value &v) {
    const auto text = v.as_string();
    const auto length =
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
    if (name == "minLength")
      return length >= arg.as_int();
    if (name == "maxLength")
      return length <= arg.as_int();
    if (name == "pattern")
      return std::regex_search(text, std::regex(arg.as_string()));
    return true;
  }

  static bool number_holds(const std::string &name, const value &arg,
                           double v) {
    if (name == "minimum")
      return v >= arg.as_double();
    if (name == "maximum")
      return v <= arg.as_double();
    if (name == "exclusiveMinimum")
      return v > arg.as_double();
    if (name == "exclusiveMaximum")
      return v < arg.as_double();
    return true;
  }

  value at(const std::string &pointer) const {
    value out = root_;
    for (std::size_t i = 1; i < pointer.size();) {
      const auto end = std::min(pointer.find('/', i + 1), pointer.size());
      auto step = pointer.substr(i + 1, end - i - 1);
      step = std::regex_replace(step, std::regex("~1"), "/");
      out = out.at(std::regex_replace(step, std::regex("%20"), " "));
      i = end;
    }
    return out;
  }

  value root_;
};

} // namespace ganglion::testing

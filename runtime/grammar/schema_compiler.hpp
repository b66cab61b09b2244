// Compiles one JSON schema: a rule for each schema that is referred to or
// that a member has.
#pragma once

#include "runtime/grammar/json_text.hpp"
#include "runtime/grammar/schema_reading.hpp"

#include <map>
#include <set>
#include <string>

namespace ganglion::runtime::grammar {

class schema_compiler {
public:
  schema_compiler(builder &to, json_text &texts, json::value root)
      : to_(to),
        texts_(texts),
        root_(std::move(root)) {}

  expr compile(const json::value &schema);

private:
  /// What is asked of an object, of one schema or of all in an "allOf".
  struct object_parts {
    std::vector<std::pair<std::string, json::value>> properties;
    std::map<std::string, json::value> required; ///< to where that is said
    std::optional<json::value> additional;
    std::set<std::string> names; ///< of properties
    bool describes = false;      ///< "properties" is there
    std::size_t schemas = 0;     ///< that were collected
  };

  expr compile_object(const json::value &schema);
  expr reference(const json::value &at);
  expr values(const json::value &schema, std::vector<json::value> given);
  expr any_of(const json::value &branches);
  expr one_of(const json::value &branches);
  expr all_of(const json::value &schema, const json::value &branches);
  expr typed(const json::value &schema, unsigned types);

  // schema_object.cpp
  expr object(const json::value &schema);
  expr object_of(object_parts parts);
  void collect(const json::value &schema, object_parts &into, int nesting);
  expr members(const object_parts &parts, std::optional<expr> extra);
  expr name(const std::string &text);
  std::optional<expr> extra_member(const object_parts &parts);
  expr other_name(std::vector<std::u32string> names, std::size_t skip);

  // schema_values.cpp
  expr array(const json::value &schema);
  expr string(const json::value &schema);
  expr number(const json::value &schema, unsigned types);
  std::int32_t count(const json::value &schema, std::string_view name,
                     std::int32_t otherwise) const;

  builder &to_;
  json_text &texts_;
  json::value root_;
  std::map<std::string, rule, std::less<>> references_;
  std::int32_t nesting_ = 0;
};

} // namespace ganglion::runtime::grammar

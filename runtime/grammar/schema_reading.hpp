// Looks at JSON schemas: members, types, references, which keywords are known.
#pragma once

#include "runtime/json/reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime::grammar {

/// Types as bits.
enum schema_type : unsigned {
  null_type = 1,
  boolean_type = 2,
  integer_type = 4,
  number_type = 8, ///< not whole numbers alone
  string_type = 16,
  array_type = 32,
  object_type = 64,
  every_type = 127,
};

/// What a keyword has to do with.
enum class keyword_kind : std::uint8_t {
  annotation, ///< says nothing about the text
  reference,
  values, ///< enum, const
  combination,
  type,
  of_types, ///< about texts of `types` only
};
struct keyword {
  std::string_view name;
  keyword_kind kind;
  unsigned types = 0;
};

/// Throws `unsupported` with the path.
[[noreturn]] void refuse_schema(const json::value &at, const std::string &why);
/// Throws `invalid_argument` with the path.
[[noreturn]] void reject_schema(const json::value &at, const std::string &why);

/// A member, null or not.
std::optional<json::value> member_of(const json::value &schema,
                                     std::string_view name);
/// The row of a keyword; throws `unsupported` for one that is not known.
const keyword &keyword_of(const json::value &member, std::string_view name);

/// The type of a value: one bit.
unsigned type_of(const json::value &v);
/// The types that a schema's texts may have: those of "type", of its values,
/// or that its keywords are about.
unsigned types_of(const json::value &schema);

/// The values of "enum" or "const", if there is one of them.
std::optional<std::vector<json::value>> values_of(const json::value &schema);

/// What "#/a/b" points to in `root`. Throws `unsupported` for a reference
/// elsewhere, `invalid_argument` for one that points to nothing.
json::value referred(const json::value &root, const json::value &reference);

/// Whether no text satisfies both, as far as that is seen without effort:
/// types, values, or values of a member that both require.
bool are_disjoint(const json::value &root, const json::value &a,
                  const json::value &b);

} // namespace ganglion::runtime::grammar

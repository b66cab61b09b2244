// How the parameter tables of all routes read a value: its type and range, or
// an error that names it.
#pragma once

#include "runtime/json/reader.hpp"

#include <cstdint>
#include <string>

namespace ganglion::apps {

/// Throws `invalid_argument` with the value, its path and what is accepted.
[[noreturn]] void refuse_value(const json::value &v,
                               const std::string &accepted);

/// Throws `invalid_argument` for a name that means nothing here.
[[noreturn]] void refuse_unknown(const json::value &v);
/// Throws `unsupported` for a value that asks for what is not implemented.
[[noreturn]] void refuse_unsupported(const json::value &v);

/// A whole number within bounds, both included.
std::int64_t whole(const json::value &v, std::int64_t least, std::int64_t most);
/// A whole number of 0 or more that 32 bits hold.
std::int32_t count(const json::value &v);
/// A number within bounds, both included.
float real(const json::value &v, float least, float most);
/// A number; whoever uses it knows its range.
float real(const json::value &v);

/// Calls `add` with each item of a list, or with `v` itself if it is none.
template <class Add>
void each(const json::value &v, Add add) {
  if (!v.is_array())
    return add(v);
  for (const auto &item : v.items())
    add(item);
}

// Whether a value asks for nothing beyond what is done anyway.
bool is_off(const json::value &v);
bool is_on(const json::value &v);
bool is_zero(const json::value &v);
bool is_one(const json::value &v);
bool is_empty(const json::value &v); ///< a list, an object or a string
bool never(const json::value &v);

/// More tokens than any model has positions.
inline constexpr auto most_tokens = std::int64_t{1} << 40;

} // namespace ganglion::apps

// Numbers of a model's JSON files in the narrow types that they are kept in,
// never cut or rounded to infinity.
#pragma once

#include "runtime/json/reader.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ganglion::json {

/// Throw `invalid_argument` naming the field, its value and what is accepted.
std::int32_t int32_of(const value &number);
float float_of(const value &number);

/// The ids of the member `field`, one or a list of them; none if it is absent
/// or null. Throws as `int32_of`.
std::vector<std::int32_t> token_ids(const value &object,
                                    std::string_view field);

} // namespace ganglion::json

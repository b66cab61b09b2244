// The typed value of an option, and how text becomes one.
#pragma once

#include "runtime/config/option_spec.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ganglion::runtime {

using option_value =
    std::variant<std::string, std::int64_t, double, bool,
                 std::vector<std::int64_t>, std::vector<std::string>>;

/// Reads `text` as `spec` demands. Throws `invalid_argument` saying the value
/// and what is accepted; `where` and `field` are the place and the key as the
/// user wrote it.
option_value parse_option(const option_spec &spec, std::string_view text,
                          const std::string &where, const std::string &field);

} // namespace ganglion::runtime

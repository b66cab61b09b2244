// All options of the engine and the server: one table, and finding rows in a
// table by any of their names.
#pragma once

#include "runtime/config/option_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

using option_table = std::vector<option_spec>;

/// The options that `engine_config` is made from.
const option_table &engine_options();

/// The row with that name or alias ('-' and '_' are the same), or null.
const option_spec *find_option(const option_table &table,
                               std::string_view name);

/// The name that was probably meant by `name`, or an empty text when nothing
/// in the table comes close.
std::string nearest_option(const option_table &table, std::string_view name);

} // namespace ganglion::runtime

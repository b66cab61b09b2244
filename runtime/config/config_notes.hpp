// What a start says about values that it accepts although they change nothing.
#pragma once

#include "runtime/config/option_values.hpp"

#include <string>
#include <vector>

namespace ganglion::runtime {

/// One line for each option of `table` whose value somebody gave and that the
/// table says is without effect: place, key, value and why.
std::vector<std::string> notes_on(const option_table &table,
                                  const option_values &values);

} // namespace ganglion::runtime

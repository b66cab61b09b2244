// A module from a function that builds it: the way in for hosts that write
// graphs of their own.
#pragma once

#include "hlo/builder.hpp"

#include <functional>
#include <memory>
#include <string>

namespace ganglion::hlo {

/// What `compile_function` calls: makes the parameters, numbered from 0, and
/// everything else, and returns the result.
using graph_function = std::function<value(builder &)>;

/// Builds and verifies a module called `name` whose entry is what `function`
/// makes; `partitions` is how many ranks will run it. Aliases can be added to
/// the result, or by the function to `builder::owner`. Throws
/// `invalid_argument` for shapes that do not fit and for parameters that are
/// not numbered 0, 1, 2, ...
std::unique_ptr<module> compile_function(const std::string &name,
                                         const graph_function &function,
                                         std::int64_t partitions = 1);

} // namespace ganglion::hlo

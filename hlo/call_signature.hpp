// What an operation demands of the computations it calls.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Empty when the computations called by `i` take and return what `i` needs;
/// otherwise the rule that is broken. Looks at shapes only.
std::string broken_call_rule(const instruction &i);

} // namespace ganglion::hlo

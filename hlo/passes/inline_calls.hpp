// Replaces calls, composite or plain, by the bodies they call.
#pragma once

#include "hlo/module.hpp"

#include <functional>

namespace ganglion::hlo {

/// Inlines every `call` reachable in the entry for which `wanted` says so,
/// also those that appear from inlined bodies. Drops computations that nothing
/// calls any more. Rounding and order of operations stay the same.
void inline_calls(module &m,
                  const std::function<bool(const instruction &)> &wanted);

} // namespace ganglion::hlo

// Replaces calls, composite or plain, by the bodies they call.
#pragma once

#include "hlo/module.hpp"

#include <functional>

namespace ganglion::hlo {

/// Inlines every `call` for which `wanted` says so, also those that appear
/// from inlined bodies, in every computation that is still reachable. `wanted`
/// sees each call with the operands it has where it would stand. Each copy of
/// a collective gets a channel of its own. Drops computations that nothing
/// calls any more. Rounding and order of operations stay the same. Returns
/// whether anything changed; throws `unsupported` when a computation would
/// exceed 2^18 instructions.
bool inline_calls(module &m,
                  const std::function<bool(const instruction &)> &wanted);

/// Inlines calls that are no composites.
bool inline_plain_calls(module &m);

} // namespace ganglion::hlo

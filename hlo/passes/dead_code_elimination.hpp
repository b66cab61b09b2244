// Drops what no result depends on.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Drops instructions that no root needs, except parameters and everything
/// that communicates, and computations that nothing calls. Returns whether
/// anything changed.
bool dead_code_elimination(module &m);

} // namespace ganglion::hlo

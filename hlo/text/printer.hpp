// Writes modules as HLO text, in XLA's spelling, so that XLA's tools and our
// parser read it back.
#pragma once

#include "hlo/module.hpp"

#include <string>

namespace ganglion::hlo {

/// The whole module: callees before callers, the entry last. Expects a module
/// that `verify` accepts.
std::string print(const module &m);

/// One instruction on one line: "%add.3 = f32[2]{0} add(%x, %y)".
std::string print(const instruction &i);

} // namespace ganglion::hlo

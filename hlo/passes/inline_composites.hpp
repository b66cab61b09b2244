// Replaces composites by their bodies, for consumers that know only plain HLO.
#pragma once

#include "hlo/module.hpp"

#include <set>
#include <string>

namespace ganglion::hlo {

/// Inlines every composite whose name ("ganglion.rms_norm") is not in `keep`,
/// also inside bodies. Returns whether anything changed.
bool inline_composites(module &m, const std::set<std::string> &keep = {});

} // namespace ganglion::hlo

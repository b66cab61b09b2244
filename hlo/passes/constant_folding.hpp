// Computes ahead what depends on constants alone.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Replaces operations on constants by their results when these are certain to
/// the last bit: integer arithmetic, correctly rounded floating arithmetic,
/// comparisons, conversions and data movement, up to 65,536 elements. Never
/// broadcasts, whose results only grow. Returns whether anything changed.
bool constant_folding(module &m);

} // namespace ganglion::hlo

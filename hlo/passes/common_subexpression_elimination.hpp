// Computes once what a graph computes twice.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Merges instructions of one computation with the same operation, operands,
/// attributes and shape; never anything that communicates. Constants are the
/// same only bit by bit. Returns whether anything changed.
bool common_subexpression_elimination(module &m);

} // namespace ganglion::hlo

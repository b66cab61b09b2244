// Says whether a module makes sense: the invariants that everything which
// reads a graph relies on.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Calls may nest this deep, so that a recursive walk is safe.
inline constexpr int max_call_depth = 128;

/// Checks every computation: operands come before their users and belong to
/// the same computation; names are unique HLO names; shapes are those that
/// inference gives; parameters are numbered from 0; computations called belong
/// to the module, have the signature that the caller needs, and never lead
/// back to the caller; channel ids, replica groups, composite attributes and
/// aliases hold together. Throws `invalid_argument` with the computation and
/// instruction.
void verify(const module &m);

} // namespace ganglion::hlo

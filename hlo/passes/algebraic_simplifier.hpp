// Rewrites operations whose result is already there in a simpler form.
#pragma once

#include "hlo/module.hpp"

namespace ganglion::hlo {

/// Applies the rules of simplifier_rules.hpp once to every instruction, in
/// every computation. No floating result changes by a bit (signalling NaNs
/// aside, which stay as they are): x + 0 goes only for
/// integers (and -0), x * 0 never for floating types. Returns whether anything
/// changed; what became unused stays for dead code elimination.
bool algebraic_simplifier(module &m);

} // namespace ganglion::hlo

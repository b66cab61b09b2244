// The rules of the algebraic simplifier, one function each, in tables.
#pragma once

#include "hlo/passes/rewriter.hpp"

#include <span>

namespace ganglion::hlo {

struct simplifier_rule {
  opcode op;
  /// The value that replaces `i`, already there or emitted; null when the
  /// rule does not apply.
  instruction *(*apply)(rewriter &r, instruction &i);
};

/// Rules about values: neutral elements, inverses, conversions, selections.
std::span<const simplifier_rule> arithmetic_rules();
/// Rules about where elements are: reshapes, transposes, slices, tuples.
std::span<const simplifier_rule> movement_rules();

} // namespace ganglion::hlo

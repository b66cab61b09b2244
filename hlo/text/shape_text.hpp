// Reads shapes and literals of HLO text, and writes literals; shapes are
// written by `to_string`.
#pragma once

#include "hlo/literal.hpp"
#include "hlo/text/lexer.hpp"

namespace ganglion::hlo::text {

/// "f32[2,3]{1,0}", "f32[2,3]" (row-major) or a tuple "(f32[2], s32[])".
/// Fails unless the result is well formed.
shape read_shape(lexer &in);

/// Whether a shape rather than a name comes next.
bool at_shape(lexer &in);

/// "1.5", "{1, 2}" or "{ {1, 2}, {3, 4} }": braces per dimension, or "{}" when
/// there are no elements.
void append_literal(std::string &out, const literal &value);

/// Reads a literal of shape `form`, taking its bytes out of `budget`.
literal read_literal(lexer &in, const shape &form, std::size_t &budget);

} // namespace ganglion::hlo::text

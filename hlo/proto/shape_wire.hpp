// Shapes and literals as protos, in both directions.
#pragma once

#include "hlo/literal.hpp"
#include "hlo/proto/wire.hpp"

namespace ganglion::hlo::wire {

void write_shape(const shape &from, ShapeProto &to);

/// Throws `corrupt_data` unless the result is well formed: dynamic dimensions,
/// tiles and element types that we lack are refused.
shape read_shape(const ShapeProto &from, const std::string &where);

/// `from` is an array.
void write_literal(const literal &from, LiteralProto &to);

/// An array; its bytes are taken out of `budget`.
literal read_literal(const LiteralProto &from, std::size_t &budget,
                     const std::string &where);

} // namespace ganglion::hlo::wire

// The attributes of instructions as fields of their protos: one table that the
// writer and the reader work from.
#pragma once

#include "hlo/module.hpp"
#include "hlo/proto/wire.hpp"

namespace ganglion::hlo::wire {

/// Everything about `from` but its name, shape, operands, constant and the
/// computations it calls.
void write_attributes(const instruction &from, HloInstructionProto &to);

/// The same of an `op` whose proto is `from`.
void read_attributes(opcode op, const HloInstructionProto &from, attributes &to,
                     const std::string &where);

/// The computations that `i` calls in XLA's order, which for `while` is body,
/// condition. Its own inverse.
std::vector<computation *> in_wire_order(opcode op,
                                         std::vector<computation *> called);

} // namespace ganglion::hlo::wire

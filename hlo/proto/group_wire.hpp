// Who takes part in a collective, as fields of its proto.
#pragma once

#include "hlo/attributes.hpp"
#include "hlo/module.hpp"
#include "hlo/proto/wire.hpp"

namespace ganglion::hlo::wire {

/// Channel and replica groups, which hold partition numbers.
void write_groups(const instruction &from, HloInstructionProto &to);

/// Reads both forms that XLA has written: lists, and counted device numbers
/// cut into groups.
void read_groups(const HloInstructionProto &from, attributes &to,
                 const std::string &where);

} // namespace ganglion::hlo::wire

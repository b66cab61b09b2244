// Modules as XLA's HloModuleProto, for other compilers and tools.
#pragma once

#include "hlo/module.hpp"

#include <string>
#include <string_view>

namespace ganglion::hlo {

/// The bytes of the HloModuleProto of a module that `verify` accepts. They
/// depend on the module alone: fields in the order of their numbers, nothing
/// about the machine, the time or source files. Computations are numbered from
/// 1, callees first and the entry last; instructions from 1 through the whole
/// module. A name that an earlier computation has used gets a number, since XLA
/// wants names to be unique within a module. The number of partitions is
/// written as a device assignment. Throws `unsupported` past 2 GiB, which is
/// what a proto can hold.
std::string serialise(const module &m);

/// Reads such bytes, also as XLA writes them, and verifies the module; `where`
/// names them in errors. Fields that do not change what is computed (metadata,
/// schedules and the like) are skipped; others that are not known are refused.
/// Throws `corrupt_data` naming computation and instruction, and `verify`'s
/// errors. Limits are those of `parse`.
std::unique_ptr<module> deserialise(std::string_view bytes,
                                    const std::string &where);

} // namespace ganglion::hlo

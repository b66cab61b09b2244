// A module from the bytes of a file, in either form that we write.
#pragma once

#include "hlo/module.hpp"

#include <string>
#include <string_view>

namespace ganglion::hlo {

/// HLO text, which starts with "HloModule" or a comment, or a HloModuleProto.
/// Throws as `parse` and `deserialise` do.
std::unique_ptr<module> read_module(std::string_view bytes,
                                    const std::string &where);

} // namespace ganglion::hlo

// Reads HLO text: what our printer writes, and XLA's own within the subset of
// operations that we have.
#pragma once

#include "hlo/module.hpp"

#include <string>
#include <string_view>

namespace ganglion::hlo {

/// Parses and verifies a module; `where` names the text in errors. Names may
/// stand with or without '%', layouts may be absent, operands may carry their
/// shapes; attributes that do not change the result (metadata and the like)
/// are skipped. Throws `corrupt_data` with line and column for what cannot be
/// read or is not known, and `verify`'s errors for what makes no sense.
/// Memory is bounded by the length of the text, and besides to 1 GiB of
/// constants and 2^18 instructions; calls nest at most 128 deep.
std::unique_ptr<module> parse(std::string_view text, std::string where);

} // namespace ganglion::hlo

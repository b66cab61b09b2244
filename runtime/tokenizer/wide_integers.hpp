// JSON integers that no machine integer holds: HuggingFace writes "no limit"
// as 1000000000000000019884624838656.
#pragma once

#include <string>
#include <string_view>

namespace ganglion::runtime {

/// `text` (JSON, or nearly) with ".0" after each integer of 19 digits or more,
/// so that it reads as a floating-point number.
std::string wide_integers_as_reals(std::string_view text);

} // namespace ganglion::runtime

// The decoder that a model directory describes, from its config alone.
#pragma once

#include "hlo/decoder/spec.hpp"

#include <string>

namespace ganglion::apps {

/// Throws `not_found`, `corrupt_data` or `unsupported`. Needs no weights.
hlo::decoder_spec read_spec(const std::string &directory);

} // namespace ganglion::apps

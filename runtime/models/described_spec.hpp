// The decoder that a config.json describes, of whatever family.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/models/rope_overrides.hpp"

namespace ganglion::runtime {

/// `config` has `rope` in it already. Throws `unsupported` or
/// `invalid_argument` naming the field, its value and what is accepted.
hlo::decoder_spec described_spec(const json::value &config,
                                 const rope_overrides &rope);

} // namespace ganglion::runtime

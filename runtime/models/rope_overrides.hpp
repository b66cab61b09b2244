// Rotary settings that a user puts in place of the checkpoint's own, to stretch
// its context.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/models/family.hpp"

#include <optional>
#include <string>

namespace ganglion::runtime {

struct rope_overrides {
  std::optional<double> theta;
  std::string scaling; ///< a JSON object as config.json has it, or empty

  bool any() const { return theta || !scaling.empty(); }
};

/// The config with the overrides in it. Throws `unsupported` (field rope_theta
/// or rope_scaling) for a family that takes none.
json::document overridden(const json::document &config, const family &f,
                          const rope_overrides &overrides);

/// The longest sequence that the config's scaling stretches `n_positions` to
/// (0: any), as its kind is defined: linear and yarn by their factor, dynamic
/// without end, the others not at all.
std::int64_t stretched_positions(const json::value &config,
                                 std::int64_t n_positions);

} // namespace ganglion::runtime

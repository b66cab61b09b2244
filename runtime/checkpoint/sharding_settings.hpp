// Resolved sharding options by the names of the options that they come from:
// what artefacts and presharded checkpoints are compared by.
#pragma once

#include "hlo/decoder/sharding_options.hpp"
#include "runtime/json/reader.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ganglion::runtime {

using named_settings = std::vector<std::pair<std::string, std::string>>;

named_settings sharding_settings(const hlo::sharding_options &options);

/// As a JSON object of strings, and read from one. Throws `corrupt_data` or
/// `invalid_argument` naming the field.
std::string sharding_json(const hlo::sharding_options &options);
hlo::sharding_options sharding_from(const json::value &object);

/// Throws `invalid_argument` naming the first field in which a start differs
/// from what the checkpoint in `directory` was cut for, and both values.
void check_sharding(const hlo::sharding_options &start,
                    const hlo::sharding_options &cut,
                    const std::string &directory);

} // namespace ganglion::runtime

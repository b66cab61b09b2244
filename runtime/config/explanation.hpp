// A configuration written down for people: as serving.properties, with where
// each value is from.
#pragma once

#include "runtime/config/option_values.hpp"

#include <string>

namespace ganglion::runtime {

/// "name = value", aligned, with "# origin" behind it, for every option that
/// does something and every other one that was set. Origins: "default", "smart
/// default", "FILE:LINE", "environment NAME", "command line --NAME".
std::string explanation(const option_values &values);

/// "option.name=value" for what is not a default.
std::string given_lines(const option_values &values);

} // namespace ganglion::runtime

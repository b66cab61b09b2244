// The text of an option's value, as it could be written again.
#pragma once

#include "runtime/config/option_value.hpp"

#include <string>

namespace ganglion::runtime {

/// "4", "true", "1,8"; reading it again gives the same value.
std::string value_text(const option_value &value);

/// The same for people: the word that stands for a value ("auto" for 0), and
/// stars in place of a secret.
std::string shown_text(const option_spec &spec, const option_value &value);

} // namespace ganglion::runtime

// How the characters of a text are written: as they are, or inside a string of
// JSON.
#pragma once

#include "runtime/grammar/builder.hpp"

namespace ganglion::runtime::grammar {

enum class text_form : std::uint8_t {
  plain,
  json_string, ///< without the quotes; escapes only where JSON demands one
};

/// One character of `set`, which is not empty.
expr character(builder &to, const code_points &set, text_form form);

} // namespace ganglion::runtime::grammar

// Grammars as text: rules in EBNF, close to what llama.cpp calls GBNF. The
// syntax is in docs/structured_output.md.
#pragma once

#include "runtime/grammar/builder.hpp"

#include <string_view>

namespace ganglion::runtime::grammar {

/// The texts of the rule `root`. Throws `invalid_argument` with the place of
/// what is wrong.
expr ebnf(builder &to, std::string_view text);

} // namespace ganglion::runtime::grammar

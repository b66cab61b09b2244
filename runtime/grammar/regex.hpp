// Regular expressions as grammars: the subset of docs/structured_output.md.
#pragma once

#include "runtime/grammar/text_form.hpp"

#include <string_view>

namespace ganglion::runtime::grammar {

enum class regex_match : std::uint8_t {
  whole, ///< the text is matched from start to end
  part,  ///< somewhere in the text, unless "^" and "$" say where
};

/// The texts that `pattern` matches. Throws `invalid_argument` with the place
/// of what is wrong or not supported.
expr regex(builder &to, std::string_view pattern, regex_match match,
           text_form form);

} // namespace ganglion::runtime::grammar

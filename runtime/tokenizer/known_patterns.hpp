// Hand-written scanners for the split patterns that most models use. Each must
// cut exactly where Oniguruma cuts with the pattern it stands for.
#pragma once

#include "runtime/tokenizer/regex.hpp"

#include <string_view>

namespace ganglion::runtime {

/// GPT-2's pattern, which ByteLevel uses by itself.
extern const std::string_view gpt2_pattern;

/// The length of the match at the front of `text`; `text` is UTF-8 and not
/// empty. These patterns match at every position.
using pattern_scanner = std::size_t (*)(std::string_view text);

/// The scanner for `pattern`, or null when it is not one of the known.
pattern_scanner find_scanner(std::string_view pattern);

} // namespace ganglion::runtime

// What a name in HLO text may look like.
#pragma once

#include <string_view>

namespace ganglion::hlo {

bool starts_name(char c);    ///< a letter or underscore
bool continues_name(char c); ///< these, a digit, '.' or '-'
bool is_name(std::string_view text);

} // namespace ganglion::hlo

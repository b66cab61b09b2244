// "%s and %d" % values, and "{} and {name}".format(values).
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

/// `given` is a tuple of values, one value, or a dictionary for %(name)s.
value printf_format(rendering &run, std::string_view format,
                    const value &given);

/// Fields {}, {0} and {name} without further options; others are refused.
value brace_format(rendering &run, std::string_view format,
                   const arguments &given);

} // namespace ganglion::runtime::chat

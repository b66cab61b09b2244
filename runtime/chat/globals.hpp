// The functions every template can call.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

/// Null when there is no global `name`.
function_object *find_global(std::string_view name);

/// `when` as C's strftime writes it, in plain local time without a zone.
std::string format_time(rendering &run, const std::tm &when,
                        const std::string &format);

} // namespace ganglion::runtime::chat

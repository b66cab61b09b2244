// Options that a command cannot do without.
#pragma once

#include "hlo/support/error.hpp"
#include "runtime/config/command_line.hpp"

#include <string>

namespace ganglion::apps {

/// The text of the command's own option `name`; throws `invalid_argument` when
/// it was not given.
inline const std::string &
required_option(const runtime::parsed_command &arguments,
                const std::string &name) {
  if (!arguments.own.is_set(name))
    throw error(error_code::invalid_argument, "required but missing",
                "command line", "--" + name);
  return arguments.own.string(name);
}

} // namespace ganglion::apps

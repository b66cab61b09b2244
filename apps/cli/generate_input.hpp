// What `ganglion generate` is asked to do, from its options and its input.
#pragma once

#include "apps/cli/command.hpp"
#include "runtime/generation/generation_request.hpp"

namespace ganglion::apps {

/// The options of `generate` beside the engine's.
runtime::option_table generate_options();

/// The request that the options, the argument, the file or `in` describe. The
/// prompt's last newline is left out, as files and pipes have one.
runtime::generation_request
generate_request(const runtime::parsed_command &arguments, std::istream &in);

} // namespace ganglion::apps

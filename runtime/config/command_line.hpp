// Parses a subcommand's arguments against the options table and the options
// that the subcommand adds, and writes the help from the same rows.
#pragma once

#include "runtime/config/config_source.hpp"
#include "runtime/config/option_values.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// What a subcommand accepts.
struct command_spec {
  std::string_view name = {};    ///< "generate"
  std::string_view summary = {}; ///< one sentence for help
  std::string_view positional =
      {}; ///< "[PROMPT]" in help; empty if there are none
  std::size_t max_positionals = 0;
  bool takes_engine_options = true;
  option_table options = {}; ///< its own, scope `command`
};

struct parsed_command {
  bool help = false;                  ///< -h or --help was there
  std::vector<option_setting> engine; ///< for `config_inputs`
  option_values own;                  ///< of `command_spec::options`
  std::vector<std::string> positionals;
};

/// Reads `--name value`, `--name=value`, `--flag` (a boolean that is true),
/// `-h`, and positionals; after `--` all are positionals. Names may be written
/// with '-' or '_'. Throws `invalid_argument` for an unknown option (naming
/// the nearest), a missing value, a bad value of an own option, or too many
/// positionals. `command` must outlive the result.
parsed_command parse_command_line(const command_spec &command,
                                  std::span<const std::string> arguments);

/// Usage, the subcommand's options and the engine's, by scope, with defaults
/// and what each accepts.
std::string help_text(const command_spec &command);

} // namespace ganglion::runtime

// What a subcommand is, and the outside world that it is run with.
#pragma once

#include "runtime/config/command_line.hpp"

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace ganglion::apps {

/// Only `main` takes these from the process.
struct command_context {
  std::istream &in;
  std::ostream &out;
  std::ostream &err;
  runtime::environment variables;
  bool err_is_terminal = false;
};

struct command {
  runtime::command_spec spec;
  /// Returns an exit code; may throw `ganglion::error`.
  int (*run)(const runtime::parsed_command &arguments,
             command_context &context);
};

/// One file each.
command generate_command();
command serve_command();
command tokenize_command();
command detokenize_command();
command render_command();
command logits_command();
command score_command();
command compile_command();
command inspect_command();
command partition_command();
command run_module_command();
command config_command();

/// In the order of the help text.
const std::vector<command> &commands();

/// The whole program: finds the command in `arguments` (without the program's
/// name), runs it and turns errors into one line on `err` and an exit code.
int run_program(std::span<const std::string> arguments,
                command_context &context);

} // namespace ganglion::apps

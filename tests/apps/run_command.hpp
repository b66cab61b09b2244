// Runs the program's commands inside the test's process.
#pragma once

#include "apps/cli/command.hpp"

#include <sstream>

namespace ganglion::testing {

struct command_outcome {
  int code = 0;
  std::string out, err;

  /// The last line of `err`, without the log's lines before it.
  std::string last_error_line() const {
    const auto end = err.find_last_not_of('\n');
    const auto begin = err.rfind('\n', end);
    return err.substr(begin == std::string::npos ? 0 : begin + 1,
                      end - (begin == std::string::npos ? 0 : begin + 1) + 1);
  }
};

inline command_outcome run_command(const std::vector<std::string> &arguments,
                                   const std::string &input = {},
                                   const runtime::environment &variables = {}) {
  std::istringstream in(input);
  std::ostringstream out, err;
  apps::command_context context{in, out, err, variables, false};
  const int code = apps::run_program(arguments, context);
  return {code, out.str(), err.str()};
}

} // namespace ganglion::testing

// The ganglion program: hands the process's arguments, environment and streams
// to the commands.
#include "apps/cli/command.hpp"

#include <csignal>
#include <iostream>

#include <unistd.h>

extern "C" char **environ;

namespace {

ganglion::runtime::environment process_environment() {
  ganglion::runtime::environment out;
  for (char **entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (const auto equals = text.find('='); equals != std::string::npos)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

} // namespace

int main(int argc, char **argv) {
  std::ios::sync_with_stdio(false); // so that input is read in blocks
  // A closed pipe shows as a failed write, which is handled.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0),
                                           argv + argc);
  ganglion::apps::command_context context{std::cin, std::cout, std::cerr,
                                          process_environment(),
                                          isatty(STDERR_FILENO) != 0};
  return ganglion::apps::run_program(arguments, context);
}

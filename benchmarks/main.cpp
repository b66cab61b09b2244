// ganglion-bench: picks the mode, runs it and prints what it found.
#include "benchmarks/machine/machine.hpp"
#include "benchmarks/mode.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"

#include <iostream>

namespace {

using namespace ganglion;
using namespace ganglion::benchmarks;

void print_usage(std::ostream &out) {
  out << "usage: ganglion-bench MODE [OPTIONS]\n\n";
  for (const mode &m : modes())
    out << "  " << m.spec.name << std::string(14 - m.spec.name.size(), ' ')
        << m.spec.summary << "\n";
  out << "\nganglion-bench MODE -h lists the options of a mode.\n";
}

const mode &find_mode(const std::string &name) {
  for (const mode &m : modes())
    if (m.spec.name == name)
      return m;
  throw error(error_code::invalid_argument,
              "'" + name + "' is not a mode; -h lists them", "command line",
              "MODE");
}

std::string joined(const std::vector<std::string> &arguments) {
  std::string out = "ganglion-bench";
  for (const auto &a : arguments)
    out += " " + a;
  return out;
}

int run(const std::vector<std::string> &arguments) {
  if (arguments.empty() || arguments[0] == "-h" || arguments[0] == "--help") {
    print_usage(arguments.empty() ? std::cerr : std::cout);
    return arguments.empty() ? 2 : 0;
  }
  const mode &m = find_mode(arguments[0]);
  const auto parsed =
      runtime::parse_command_line(m.spec, std::span(arguments).subspan(1));
  if (parsed.help) {
    std::cout << runtime::help_text(m.spec);
    return 0;
  }
  log::configure(parsed.own.string("log_level"));
  report out{machine_line(), joined(arguments)};
  m.run(parsed, out);
  std::cout << (parsed.own.boolean("json") ? as_json(out) : as_text(out));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const error &e) {
    std::cerr << "ganglion-bench: " << e.describe() << "\n";
    return e.code() == error_code::invalid_argument ? 2 : 1;
  } catch (const std::exception &e) {
    std::cerr << "ganglion-bench: " << e.what() << "\n";
    return 1;
  }
}

#include "apps/cli/command.hpp"
#include "apps/error_table.hpp"

#include <iostream>

namespace ganglion::apps {

namespace {

std::string overview() {
  std::string out = "usage: ganglion COMMAND [options]\n\n"
                    "Runs HuggingFace language models as actors on "
                    "NeuronCores.\n\nCommands:\n";
  for (const auto &c : commands()) {
    std::string name(c.spec.name);
    name.resize(12, ' ');
    out += "  " + name + std::string(c.spec.summary) + "\n";
  }
  return out + "\nganglion COMMAND --help says more; --version prints the "
               "version.\n";
}

const command &find_command(const std::string &name) {
  std::string names;
  for (const auto &c : commands()) {
    if (c.spec.name == name)
      return c;
    names += (names.empty() ? "" : ", ") + std::string(c.spec.name);
  }
  throw error(error_code::invalid_argument,
              "unknown command '" + name + "'; accepted: " + names,
              "command line");
}

int run_command(std::span<const std::string> arguments,
                command_context &context) {
  if (arguments.empty()) {
    context.err << overview();
    return exit_usage;
  }
  const auto &first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    context.out << overview();
    return exit_ok;
  }
  if (first == "--version") {
    context.out << "ganglion " GANGLION_VERSION "\n";
    return exit_ok;
  }
  const auto &found = find_command(first);
  const auto parsed =
      runtime::parse_command_line(found.spec, arguments.subspan(1));
  if (parsed.help) {
    context.out << runtime::help_text(found.spec);
    return exit_ok;
  }
  return found.run(parsed, context);
}

} // namespace

const std::vector<command> &commands() {
  static const std::vector<command> all = {
      generate_command(),   serve_command(),      tokenize_command(),
      detokenize_command(), render_command(),     logits_command(),
      score_command(),      compile_command(),    inspect_command(),
      partition_command(),  run_module_command(), config_command()};
  return all;
}

int run_program(std::span<const std::string> arguments,
                command_context &context) {
  try {
    const int code = run_command(arguments, context);
    context.out.flush();
    if (context.out)
      return code;
    context.err << "ganglion: output: cannot write\n";
    return exit_failure;
  } catch (const error &e) {
    context.err << "ganglion: " << e.describe() << "\n";
    return row_of(e.code()).exit_code;
  } catch (const std::exception &e) {
    context.err << "ganglion: " << e.what() << "\n";
    return exit_failure;
  }
}

} // namespace ganglion::apps

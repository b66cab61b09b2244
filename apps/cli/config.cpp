// ganglion config: what `ganglion serve` would start with, and why.
#include "apps/cli/engine_setup.hpp"
#include "apps/error_table.hpp"
#include "runtime/config/explanation.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

int print_config(const runtime::parsed_command &arguments,
                 command_context &context) {
  const auto loaded = load_container_config(arguments, context, false);
  context.out << (arguments.own.boolean("explain")
                      ? runtime::explanation(loaded.values)
                      : runtime::given_lines(loaded.values));
  return exit_ok;
}

} // namespace

command config_command() {
  auto own = container_command_options();
  own.push_back({.name = "explain",
                 .kind = runtime::option_kind::boolean,
                 .fallback = "false",
                 .help = "all options, each with where its value is from"});
  return {{.name = "config",
           .summary = "Prints the options that serve would start with, as "
                      "serving.properties",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = true,
           .options = std::move(own)},
          print_config};
}

} // namespace ganglion::apps

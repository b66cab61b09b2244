// ganglion serve: the LMI contract over HTTP.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/error_table.hpp"
#include "apps/server/server.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

int serve(const runtime::parsed_command &arguments, command_context &context) {
  lmi_server_options options;
  options.config = load_container_config(arguments, context).config;
  options.drain_limit =
      std::chrono::seconds(arguments.own.integer("drain_timeout"));
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  lmi_server server(std::move(options), observer_of(view));
  context.out << "listening on " << server.address() << std::endl;
  return server.run() ? exit_ok : exit_failure;
}

} // namespace

command serve_command() {
  auto own = container_command_options();
  own.push_back({.name = "drain_timeout",
                 .kind = runtime::option_kind::integer,
                 .fallback = "25",
                 .help = "seconds that running requests get to end after "
                         "SIGTERM",
                 .least = 0,
                 .most = 86400});
  return {{.name = "serve",
           .summary = "Serves a model over HTTP as the LMI container does",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = true,
           .options = std::move(own)},
          serve};
}

} // namespace ganglion::apps

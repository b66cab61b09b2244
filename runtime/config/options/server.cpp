// Options of the HTTP server and of the log.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

option_table server() {
  using enum option_kind;
  constexpr auto scope = option_scope::server;
  return {
      {.name = "host",
       .scope = scope,
       .fallback = "127.0.0.1",
       .help = "address to listen on"},
      {.name = "port",
       .kind = integer,
       .scope = scope,
       .fallback = "8080",
       .help = "port to listen on; 0: any free one, which is printed",
       .variable = "SAGEMAKER_BIND_TO_PORT",
       .least = 0,
       .most = 65535},
      {.name = "max_request_size",
       .kind = integer,
       .scope = scope,
       .fallback = "67108864",
       .help = "largest request body in bytes",
       .least = 1,
       .most = 1e12},
      {.name = "strict",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "refuse unknown keys and parameters instead of warning"},
      {.name = "log_level",
       .kind = choice,
       .scope = scope,
       .fallback = "info",
       .help = "least important lines to log",
       .choices = {"trace", "debug", "info", "warn", "error", "off"}},
  };
}

} // namespace ganglion::runtime::options

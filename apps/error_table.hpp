// What each error code means outside: an HTTP status, an exit code and the
// exception name that LMI clients know. One table.
#pragma once

#include "hlo/support/error.hpp"

#include <string_view>

namespace ganglion::apps {

struct error_row {
  error_code code = error_code::internal;
  unsigned http_status = 500;
  int exit_code = 1;
  std::string_view type = {}; ///< in the body of server-level errors
};

/// Exit codes of the command line.
inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

const error_row &row_of(error_code code);

} // namespace ganglion::apps

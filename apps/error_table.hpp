// What each error code means outside: an exit code, and the HTTP status and
// words that the clients of each family of routes know. One table.
#pragma once

#include "hlo/support/error.hpp"

#include <string_view>

namespace ganglion::apps {

/// A status and the name that goes with it in a body.
struct error_words {
  unsigned status = 500;
  std::string_view type = {};
};

struct error_row {
  error_code code = error_code::internal;
  int exit_code = 1;
  error_words lmi, openai, tgi;
  bool retry = false; ///< the same request may well succeed later
};

/// Exit codes of the command line.
inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

const error_row &row_of(error_code code);

} // namespace ganglion::apps

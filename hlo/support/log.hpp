// The only header that knows spdlog: levels, the process logger and how it is
// set up. Log lines go to stderr so that stdout carries results alone.
#pragma once

#include <spdlog/spdlog.h>

#include <string_view>

namespace ganglion::log {

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

/// Sends all lines to stderr at `level` ("trace", "debug", "info", "warn",
/// "error", "off"). Call once, from `main`, before threads start. Throws
/// `invalid_argument` for another word.
void configure(std::string_view level);

/// A line of its own form, as it is, where lines of the level "info" are
/// wanted.
void line(std::string_view text);

/// The same at "info" for a host that has set up no logger of its own: spdlog's
/// first logger would write to stdout.
void keep_off_stdout();

} // namespace ganglion::log

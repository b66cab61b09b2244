#include "hlo/support/log.hpp"

#include "hlo/support/error.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace ganglion::log {

void configure(std::string_view level) {
  const auto parsed = spdlog::level::from_str(std::string(level));
  // from_str answers "off" for every unknown word.
  if (parsed == spdlog::level::off && level != "off")
    throw ganglion::error(error_code::invalid_argument,
                          "unknown level '" + std::string(level) +
                              "'; accepted: trace, debug, info, warn, error, "
                              "off",
                          {}, "log_level");
  auto logger = std::make_shared<spdlog::logger>(
      "ganglion", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_level(parsed);
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
  spdlog::set_default_logger(std::move(logger));
}

void line(std::string_view text) {
  // A sink has one form: another one, on the same stream and with its lock.
  static spdlog::logger bare = [] {
    spdlog::logger out("lines",
                       std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    out.set_pattern("%v");
    return out;
  }();
  if (spdlog::should_log(spdlog::level::info))
    bare.info("{}", text);
}

void keep_off_stdout() {
  // Only the logger that spdlog starts with has no name.
  if (const auto logger = spdlog::default_logger();
      logger && logger->name().empty())
    configure("info");
}

} // namespace ganglion::log

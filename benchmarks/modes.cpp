#include "benchmarks/mode.hpp"

namespace ganglion::benchmarks {

namespace {

/// What every mode takes.
mode with_common_options(mode m) {
  m.spec.options.push_back({.name = "json",
                            .kind = runtime::option_kind::boolean,
                            .fallback = "false",
                            .help = "print one JSON object instead of tables"});
  m.spec.options.push_back(
      {.name = "log_level",
       .kind = runtime::option_kind::choice,
       .fallback = "warn",
       .help = "least important lines to log, to stderr; kernels are info",
       .choices = {"trace", "debug", "info", "warn", "error", "off"}});
  return m;
}

} // namespace

const std::vector<mode> &modes() {
  static const std::vector<mode> table = [] {
    std::vector<mode> all;
    for (const auto make :
         {roofline_mode, kernels_mode, sampling_mode, step_mode, serve_mode,
          idle_mode, load_mode, compile_mode, make_model_mode})
      all.push_back(with_common_options(make()));
    return all;
  }();
  return table;
}

} // namespace ganglion::benchmarks

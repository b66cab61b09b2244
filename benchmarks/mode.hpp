// What a mode of ganglion-bench is. One file per mode under modes/, one row per
// mode in the table.
#pragma once

#include "benchmarks/report/report.hpp"
#include "runtime/config/command_line.hpp"

#include <vector>

namespace ganglion::benchmarks {

struct mode {
  runtime::command_spec spec;
  /// Adds its tables; may throw `ganglion::error`.
  void (*run)(const runtime::parsed_command &arguments, report &out);
};

mode roofline_mode();
mode kernels_mode();
mode sampling_mode();
mode step_mode();
mode serve_mode();
mode idle_mode();
mode load_mode();
mode compile_mode();
mode make_model_mode();

/// In the order of the help text.
const std::vector<mode> &modes();

} // namespace ganglion::benchmarks

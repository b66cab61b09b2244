// Where values come from: each source turns its own spelling of keys into
// settings of known options, and reports the keys it does not know.
#pragma once

#include "runtime/config/option_table.hpp"
#include "runtime/config/properties.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// From weakest to strongest: a later one overrides an earlier one.
enum class option_origin {
  fallback,            ///< the table's default
  smart_default,       ///< computed from the model and the cores
  config_file,         ///< config.properties
  serving_environment, ///< SERVING_NAME
  own_variable,        ///< HF_MODEL_ID, TENSOR_PARALLEL_DEGREE
  option_environment,  ///< OPTION_NAME
  properties,          ///< serving.properties
  command_line,
  host_program, ///< the program that embeds the engine
};

std::string_view to_string(option_origin origin);

/// A value that somebody gave to an option, not yet checked.
struct option_setting {
  const option_spec *option = nullptr; ///< a row of the table
  std::string text;
  option_origin origin = option_origin::fallback;
  std::string where; ///< "serving.properties:3", "environment"
  std::string key;   ///< as written: "option.tp_degree", "OPTION_TP_DEGREE"
};

/// A key that no option has.
struct unknown_key {
  std::string where;
  std::string key;
  std::string nearest; ///< what was probably meant, or empty
};

struct source_settings {
  std::vector<option_setting> settings;
  std::vector<unknown_key> unknown;
};

using environment = std::map<std::string, std::string>;

/// Keys are names or aliases, with or without "option." before them. Of two
/// lines with one key the later counts, as in Java; an option given under two
/// different keys is `invalid_argument`.
source_settings settings_from(const std::vector<property> &properties,
                              const option_table &table,
                              const std::string &where,
                              option_origin origin = option_origin::properties);

/// OPTION_NAME, SERVING_NAME and the options' own variables; empty values are
/// ignored, and so is every other variable. ARGS_NAME, which the container
/// hands to its translators, is an unknown key.
source_settings settings_from(const environment &variables,
                              const option_table &table);

} // namespace ganglion::runtime

// The container's way of naming the models that a start loads.
#pragma once

#include "runtime/config/option_values.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// One model of `load_models`; parts that were left out are empty.
struct model_entry {
  std::string name = {}, version = {}, engine = {}, cores = {};
  std::string url = {}; ///< a path without "file:", or another kind of URL
};

/// Reads "NAME:VERSION:ENGINE:CORES=URL,...", each with or without the part up
/// to '='. Throws `invalid_argument` for an entry without a URL.
std::vector<model_entry> parse_load_models(std::string_view text,
                                           const std::string &where,
                                           const std::string &field);

/// What `load_models` and `model_store` mean for the options of the one model
/// that a start without `model_id` serves; nothing when neither is given.
/// Throws `invalid_argument` where they name none or several.
std::vector<option_setting> settings_of_models(const option_values &values);

} // namespace ganglion::runtime

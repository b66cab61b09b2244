// The parts of the options table, each in the order in which help shows it.
#pragma once

#include "runtime/config/option_table.hpp"

#include <initializer_list>

namespace ganglion::runtime::options {

inline constexpr double million = 1e6;

/// Other spellings of element types.
inline std::vector<std::pair<std::string_view, std::string_view>>
dtype_synonyms() {
  return {{"fp32", "f32"},
          {"fp16", "f16"},
          {"float32", "f32"},
          {"float16", "f16"},
          {"bfloat16", "bf16"}};
}

option_table model();
option_table placement();
option_table step();
option_table form();
option_table cache();
option_table scheduling();
option_table speculation();
option_table server();
option_table access();
/// What only the container has a name for and does something here.
option_table container();
option_table location(); ///< where models come from
/// Of scope `ignored`: all of them, and those of the container's front end.
option_table ignored();
option_table ignored_front_end();
option_table refused(); ///< of that scope

/// The note of an option that never does anything.
inline std::vector<value_note> because(std::string_view why) {
  return {{"*", why}};
}

/// One table after the other.
inline option_table joined(std::initializer_list<option_table> parts) {
  option_table all;
  for (const auto &part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

} // namespace ganglion::runtime::options

// The parts of the options table, each in the order in which help shows it.
#pragma once

#include "runtime/config/option_table.hpp"

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

} // namespace ganglion::runtime::options

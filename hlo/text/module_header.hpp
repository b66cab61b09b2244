// Reads what surrounds the instructions in HLO text: the module's first line
// and the signatures of computations.
#pragma once

#include "hlo/module.hpp"
#include "hlo/text/lexer.hpp"

#include <optional>

namespace ganglion::hlo::text {

/// Parameter shapes and the result's.
struct signature {
  std::vector<shape> parameters;
  shape result;
};

/// "(f32[2], s32[])->f32[2]", with "name: " before each parameter if `named`.
/// Nothing when no parenthesis comes next.
std::optional<signature> read_signature(lexer &in, bool named);
/// Whether `c` has that signature, layouts aside.
bool matches(const signature &stated, const computation &c);

/// "{1}: (5, {}, must-alias)", still unchecked; `output` is empty for "{}".
struct stated_alias {
  dims output;
  std::int64_t parameter = 0;
  bool must = false;
  std::size_t place = 0;
};

struct module_header {
  std::string name;
  std::int64_t num_partitions = 1;
  std::vector<stated_alias> aliases;
  std::optional<signature> layout;
  std::size_t layout_place = 0;
};

/// Reads the line "HloModule name, attribute=value, ...".
module_header read_module_header(lexer &in);

/// Checks the header against the entry of `m` and gives `m` its aliases.
void apply_module_header(lexer &in, const module_header &header, module &m);

} // namespace ganglion::hlo::text

// The attributes each operation has in HLO text: one table that the printer
// writes from and the parser reads by.
#pragma once

#include "hlo/module.hpp"
#include "hlo/text/lexer.hpp"

#include <span>

namespace ganglion::hlo::text {

struct attribute_rule {
  opcode op;
  std::string_view name;
  /// Appends the value, or returns false to leave the attribute out.
  bool (*append)(std::string &out, const instruction &i);
  /// Reads the value; computations are looked up in `owner`.
  void (*read)(lexer &in, const module &owner, attributes &to);
  bool required;
};

/// In the order in which they are printed.
std::span<const attribute_rule> attribute_rules(opcode op);

/// Reads past the value of an attribute that any instruction may have and
/// that does not change what is computed, such as "metadata". Returns false
/// when `name` is no such attribute.
bool skip_ignorable(lexer &in, std::string_view name);

} // namespace ganglion::hlo::text

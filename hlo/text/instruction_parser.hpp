// Reads the instructions of one computation in HLO text.
#pragma once

#include "hlo/module.hpp"
#include "hlo/text/lexer.hpp"

#include <optional>
#include <unordered_map>

namespace ganglion::hlo::text {

/// Reads instructions and appends them to a computation of `owner`. Operands
/// and computations must have been read before.
class instruction_parser {
public:
  /// What is read is taken out of `budget`.
  instruction_parser(lexer &in, module &owner, computation &target,
                     read_budget &budget)
      : in_(in),
        owner_(owner),
        target_(target),
        budget_(budget) {}

  /// Reads up to the closing brace, and sets the root: the instruction marked
  /// ROOT, or else the last one.
  void read_body();

private:
  void read_instruction();
  bool read_root_mark();
  std::vector<instruction *> read_operands();
  instruction *read_operand();
  void read_arguments(opcode op, const shape &form, attributes &attrs,
                      std::vector<instruction *> &operands);
  void read_attributes(opcode op, attributes &attrs);
  void read_attribute(opcode op, attributes &attrs,
                      std::vector<std::string_view> &seen);

  lexer &in_;
  module &owner_;
  computation &target_;
  read_budget &budget_;
  std::unordered_map<std::string_view, instruction *> by_name_;
  instruction *root_ = nullptr;
};

} // namespace ganglion::hlo::text

#include "hlo/opcode.hpp"

#include <iterator>

namespace ganglion::hlo {

namespace {

struct row {
  std::string_view text;
  int operands;
};

constexpr row rows[] = {
#define OPCODE(name, text, operands) {text, operands},
#include "hlo/opcode.def"
#undef OPCODE
};

constexpr std::string_view directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};

} // namespace

std::string_view to_string(opcode op) {
  return rows[static_cast<int>(op)].text;
}

std::optional<opcode> opcode_from(std::string_view text) {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].text == text)
      return static_cast<opcode>(i);
  return std::nullopt;
}

int operand_count(opcode op) { return rows[static_cast<int>(op)].operands; }

// The table lists elementwise operations together.
bool is_elementwise(opcode op) {
  return op >= opcode::abs && op <= opcode::select;
}

bool is_collective(opcode op) {
  return op >= opcode::all_gather && op <= opcode::reduce_scatter;
}

std::string_view to_string(comparison direction) {
  return directions[static_cast<int>(direction)];
}

std::optional<comparison> comparison_from(std::string_view text) {
  for (std::size_t i = 0; i < std::size(directions); ++i)
    if (directions[i] == text)
      return static_cast<comparison>(i);
  return std::nullopt;
}

} // namespace ganglion::hlo

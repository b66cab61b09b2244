// The operations of the HLO subset: one table feeds the enum, the names and
// the operand counts.
#pragma once

#include <optional>
#include <string_view>

namespace ganglion::hlo {

enum class opcode {
#define OPCODE(name, text, operands) name,
#include "hlo/opcode.def"
#undef OPCODE
};

std::string_view to_string(opcode op);
std::optional<opcode> opcode_from(std::string_view text);

/// How many operands `op` takes; -1 when it varies.
int operand_count(opcode op);

bool is_elementwise(opcode op);
bool is_collective(opcode op);

/// Directions of `compare`.
enum class comparison { eq, ne, ge, gt, le, lt };

/// What `rng` draws: from [a, b), or with mean a and standard deviation b.
enum class random_distribution { uniform, normal };

std::string_view to_string(comparison direction);
std::optional<comparison> comparison_from(std::string_view text);

} // namespace ganglion::hlo

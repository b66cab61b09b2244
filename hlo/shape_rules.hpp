// What the rules of shape inference share: how a broken rule is reported, and
// the longer rules, which have files of their own.
#pragma once

#include "hlo/attributes.hpp"

#include <span>
#include <string>

namespace ganglion::hlo::shape_rules {

using shapes = std::span<const shape *const>;

/// Throws `invalid_argument` naming the operation, the rule and the operands
/// unless `holds`.
void check(bool holds, opcode op, const char *rule, shapes operands);

bool contains(const dims &list, std::int64_t value);

/// Every entry within [0, rank) and none twice, or `check` fails.
void check_dims(const dims &list, std::int64_t rank, opcode op,
                shapes operands);

shape infer_dot(shapes in, const attributes &a, const shape &wanted);
shape infer_gather(shapes in, const attributes &a);
shape infer_scatter(shapes in, const attributes &a);

} // namespace ganglion::hlo::shape_rules

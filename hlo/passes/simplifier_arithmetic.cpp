#include "hlo/passes/simplifier_rules.hpp"

#include <cmath>
#include <optional>

namespace ganglion::hlo {

namespace {

/// Larger constants are not searched for being all alike.
constexpr std::int64_t max_splat_elements = 1024;

/// The value of every element of `i`, if it is a constant of one value, or
/// such a constant broadcast.
std::optional<double> splat(const instruction *i) {
  if (i->op == opcode::broadcast)
    i = i->operand(0);
  if (i->op != opcode::constant)
    return std::nullopt;
  const literal_view v = i->attrs.value->view();
  const std::int64_t count = v.form->size();
  if (count == 0 || count > max_splat_elements)
    return std::nullopt;
  const double first = v.real(0);
  for (std::int64_t k = 1; k < count; ++k)
    if (v.real(k) != first || std::signbit(v.real(k)) != std::signbit(first))
      return std::nullopt;
  return first;
}

bool is_splat(const instruction *i, double value) {
  const auto found = splat(i);
  return found && *found == value &&
         std::signbit(*found) == std::signbit(value);
}

/// The other operand, if one of a commutative operation is `value` throughout.
instruction *other_than(const instruction &i, double value) {
  for (const std::size_t k : {0, 1})
    if (is_splat(i.operand(k), value))
      return i.operand(1 - k);
  return nullptr;
}

// -0 + 0 is 0: for floating types only -0 is neutral.
instruction *add_zero(rewriter &, instruction &i) {
  return other_than(i, is_floating(i.form.type) ? -0.0 : 0.0);
}

instruction *subtract_zero(rewriter &, instruction &i) {
  return is_splat(i.operand(1), 0.0) ? i.operand(0) : nullptr;
}

instruction *multiply_one(rewriter &, instruction &i) {
  return other_than(i, 1.0);
}

/// The operand that is 0 throughout.
instruction *zero_operand(const instruction &i) {
  for (instruction *operand : i.operands)
    if (is_splat(operand, 0.0))
      return operand;
  return nullptr;
}

// For floating types NaN, infinities and the sign of zero say otherwise.
instruction *multiply_zero(rewriter &, instruction &i) {
  return is_floating(i.form.type) ? nullptr : zero_operand(i);
}

instruction *divide_one(rewriter &, instruction &i) {
  return is_splat(i.operand(1), 1.0) ? i.operand(0) : nullptr;
}

/// The operation undoes itself: negate, not.
instruction *twice(rewriter &, instruction &i) {
  const instruction *inner = i.operand(0);
  return inner->op == i.op ? inner->operand(0) : nullptr;
}

/// Both operands are one value: maximum, minimum, and, or.
instruction *both_same(rewriter &, instruction &i) {
  return i.operand(0) == i.operand(1) ? i.operand(0) : nullptr;
}

instruction *and_constant(rewriter &, instruction &i) {
  if (i.form.type != element_type::pred)
    return nullptr;
  instruction *other = other_than(i, 1.0);
  return other ? other : zero_operand(i);
}

instruction *or_constant(rewriter &, instruction &i) {
  return i.form.type == element_type::pred ? other_than(i, 0.0) : nullptr;
}

instruction *select_known(rewriter &, instruction &i) {
  if (i.operand(1) == i.operand(2))
    return i.operand(1);
  const auto which = splat(i.operand(0));
  if (!which)
    return nullptr;
  return i.operand(*which != 0 ? 1 : 2);
}

instruction *convert_to_same(rewriter &, instruction &i) {
  return i.operand(0)->form.type == i.form.type ? i.operand(0) : nullptr;
}

/// Whether every value of `from` is one of `to`, within floating types or
/// within integers (between the two, saturation would differ).
bool is_lossless(element_type from, element_type to) {
  if (is_floating(from) != is_floating(to) || to == element_type::pred)
    return false;
  if (from == element_type::pred)
    return true;
  if (byte_size(from) >= byte_size(to))
    return false;
  return is_signed(to) || !is_signed(from);
}

instruction *convert_of_convert(rewriter &r, instruction &i) {
  const instruction *inner = i.operand(0);
  if (inner->op != opcode::convert)
    return nullptr;
  instruction *source = inner->operand(0);
  if (!is_lossless(source->form.type, inner->form.type))
    return nullptr;
  if (source->form.type == i.form.type)
    return source;
  return r.emit(opcode::convert, i.form, {source});
}

constexpr simplifier_rule rules[] = {
    {opcode::add, add_zero},
    {opcode::subtract, subtract_zero},
    {opcode::multiply, multiply_one},
    {opcode::multiply, multiply_zero},
    {opcode::divide, divide_one},
    {opcode::negate, twice},
    {opcode::not_, twice},
    {opcode::maximum, both_same},
    {opcode::minimum, both_same},
    {opcode::and_, both_same},
    {opcode::and_, and_constant},
    {opcode::or_, both_same},
    {opcode::or_, or_constant},
    {opcode::select, select_known},
    {opcode::convert, convert_to_same},
    {opcode::convert, convert_of_convert},
};

} // namespace

std::span<const simplifier_rule> arithmetic_rules() { return rules; }

} // namespace ganglion::hlo

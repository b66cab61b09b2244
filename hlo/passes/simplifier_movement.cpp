#include "hlo/passes/simplifier_rules.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

/// The operand, if it has the result's shape: a reshape, a slice or a dynamic
/// slice then takes every element where it was.
instruction *unchanged(rewriter &, instruction &i) {
  return i.operand(0)->form == i.form ? i.operand(0) : nullptr;
}

instruction *reshape_of_reshape(rewriter &r, instruction &i) {
  const instruction *inner = i.operand(0);
  if (inner->op != opcode::reshape)
    return nullptr;
  return r.emit(opcode::reshape, i.form, {inner->operand(0)});
}

bool is_identity(const dims &permutation) {
  for (std::size_t i = 0; i < permutation.size(); ++i)
    if (permutation[i] != static_cast<std::int64_t>(i))
      return false;
  return true;
}

instruction *transpose_nothing(rewriter &, instruction &i) {
  return is_identity(i.attrs.dimensions) ? i.operand(0) : nullptr;
}

/// `outer` after `inner`: where each of outer's entries comes from.
dims composed(const dims &inner, const dims &outer) {
  dims out;
  for (const auto d : outer)
    out.push_back(inner[d]);
  return out;
}

instruction *transpose_of_transpose(rewriter &r, instruction &i) {
  const instruction *inner = i.operand(0);
  if (inner->op != opcode::transpose)
    return nullptr;
  attributes attrs;
  attrs.dimensions = composed(inner->attrs.dimensions, i.attrs.dimensions);
  if (is_identity(attrs.dimensions))
    return inner->operand(0);
  return r.emit(opcode::transpose, i.form, {inner->operand(0)},
                std::move(attrs));
}

/// A sum over ranks of transposed arrays is the transposed sum: the transposes
/// on both sides then meet.
instruction *transpose_after_all_reduce(rewriter &r, instruction &i) {
  const instruction *inner = i.operand(0);
  if (inner->op != opcode::transpose)
    return nullptr;
  instruction *sum = r.emit(opcode::all_reduce, inner->operand(0)->form,
                            {inner->operand(0)}, i.attrs);
  return r.emit(opcode::transpose, i.form, {sum}, inner->attrs);
}

instruction *broadcast_nothing(rewriter &, instruction &i) {
  return i.operand(0)->form == i.form && is_identity(i.attrs.dimensions)
             ? i.operand(0)
             : nullptr;
}

instruction *broadcast_of_broadcast(rewriter &r, instruction &i) {
  const instruction *inner = i.operand(0);
  if (inner->op != opcode::broadcast)
    return nullptr;
  attributes attrs;
  attrs.dimensions = composed(i.attrs.dimensions, inner->attrs.dimensions);
  return r.emit(opcode::broadcast, i.form, {inner->operand(0)},
                std::move(attrs));
}

instruction *pad_nothing(rewriter &, instruction &i) {
  const bool none =
      std::all_of(i.attrs.padding.begin(), i.attrs.padding.end(),
                  [](const padding_dim &p) { return p == padding_dim{}; });
  return none ? i.operand(0) : nullptr;
}

instruction *reverse_nothing(rewriter &, instruction &i) {
  const bool none =
      std::all_of(i.attrs.dimensions.begin(), i.attrs.dimensions.end(),
                  [&](std::int64_t d) { return i.form.dim(d) <= 1; });
  return none ? i.operand(0) : nullptr;
}

instruction *concatenate_one(rewriter &, instruction &i) {
  return i.operands.size() == 1 ? i.operand(0) : nullptr;
}

// Starts are clamped, so that an update of the whole lands at 0.
instruction *update_all(rewriter &, instruction &i) {
  return i.operand(1)->form == i.form ? i.operand(1) : nullptr;
}

instruction *element_of_tuple(rewriter &, instruction &i) {
  const instruction *tuple = i.operand(0);
  return tuple->op == opcode::tuple
             ? tuple->operand(static_cast<std::size_t>(i.attrs.tuple_index))
             : nullptr;
}

constexpr simplifier_rule rules[] = {
    {opcode::reshape, unchanged},
    {opcode::reshape, reshape_of_reshape},
    {opcode::transpose, transpose_nothing},
    {opcode::transpose, transpose_of_transpose},
    {opcode::all_reduce, transpose_after_all_reduce},
    {opcode::broadcast, broadcast_nothing},
    {opcode::broadcast, broadcast_of_broadcast},
    {opcode::slice, unchanged},
    {opcode::dynamic_slice, unchanged},
    {opcode::dynamic_update_slice, update_all},
    {opcode::pad, pad_nothing},
    {opcode::reverse, reverse_nothing},
    {opcode::concatenate, concatenate_one},
    {opcode::bitcast_convert, unchanged},
    {opcode::get_tuple_element, element_of_tuple},
};

} // namespace

std::span<const simplifier_rule> movement_rules() { return rules; }

} // namespace ganglion::hlo

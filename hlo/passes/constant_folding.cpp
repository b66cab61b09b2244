#include "hlo/passes/constant_folding.hpp"

#include "hlo/evaluator/operation.hpp"
#include "hlo/passes/rewriter.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

constexpr std::int64_t max_folded_elements = 65536;

/// Operations whose results every implementation must agree on bit by bit.
/// Sums and transcendental functions are not among them.
bool is_exact(const instruction &i) {
  const element_type type = i.operands[0]->form.type;
  switch (i.op) {
  case opcode::add:
  case opcode::subtract:
  case opcode::multiply:
  case opcode::maximum:
  case opcode::minimum:
  case opcode::abs:
  case opcode::negate:
  case opcode::clamp:
    return type != element_type::pred;
  case opcode::divide:
  case opcode::sqrt:
    return is_floating(type);
  case opcode::and_:
  case opcode::or_:
  case opcode::xor_:
  case opcode::not_:
  case opcode::ceil:
  case opcode::floor:
  case opcode::round_nearest_even:
  case opcode::is_finite:
  case opcode::compare:
  case opcode::convert:
  case opcode::bitcast_convert:
  case opcode::select:
  case opcode::concatenate:
  case opcode::pad:
  case opcode::reshape:
  case opcode::reverse:
  case opcode::slice:
  case opcode::transpose:
    return true;
  default:
    return false;
  }
}

bool is_foldable(const instruction &i) {
  return !i.operands.empty() && i.form.size() <= max_folded_elements &&
         std::all_of(i.operands.begin(), i.operands.end(),
                     [](const instruction *operand) {
                       return operand->op == opcode::constant;
                     }) &&
         is_exact(i);
}

std::shared_ptr<const literal> folded(const instruction &i) {
  std::vector<literal_view> operands;
  for (const instruction *operand : i.operands)
    operands.push_back(operand->attrs.value->view());
  literal result(i.form);
  evaluate_operation(i, operands, result.view());
  return std::make_shared<const literal>(std::move(result));
}

} // namespace

bool constant_folding(module &m) {
  bool changed = false;
  for (const auto &c : m.computations()) {
    rewriter r(*c);
    changed |= r.run([&](instruction &i) {
      if (!is_foldable(i))
        return &i;
      attributes attrs;
      attrs.value = folded(i);
      return r.emit(opcode::constant, i.form, {}, std::move(attrs));
    });
  }
  return changed;
}

} // namespace ganglion::hlo

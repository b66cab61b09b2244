#include "hlo/call_signature.hpp"

namespace ganglion::hlo {

namespace {

using shapes = std::vector<shape>;

bool has_signature(const computation &c, const shapes &parameters,
                   const shape &result) {
  const auto actual = c.parameters();
  if (actual.size() != parameters.size() || !compatible(c.root()->form, result))
    return false;
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (!compatible(actual[i]->form, parameters[i]))
      return false;
  return true;
}

std::string signature_text(const shapes &parameters, const shape &result) {
  std::string out = "(";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    out += (i > 0 ? ", " : "") + to_string(parameters[i], false);
  return out + ") -> " + to_string(result, false);
}

std::string demand(const instruction &i, std::size_t slot,
                   const shapes &parameters, const shape &result) {
  const computation &c = *i.attrs.called[slot];
  if (has_signature(c, parameters, result))
    return {};
  return "computation '" + c.name() + "' must be " +
         signature_text(parameters, result);
}

/// Old and new values as scalars of `types`; returns new values.
std::string demand_combiner(const instruction &i,
                            const std::vector<element_type> &types) {
  shapes parameters, results;
  for (int round = 0; round < 2; ++round)
    for (const auto type : types)
      parameters.push_back(scalar_shape(type));
  for (const auto type : types)
    results.push_back(scalar_shape(type));
  return demand(i, 0, parameters,
                types.size() == 1 ? results[0] : tuple_shape(results));
}

std::string demand_reducer(const instruction &i) {
  std::vector<element_type> types;
  for (std::size_t k = 0; k < i.operands.size() / 2; ++k)
    types.push_back(i.operands[k]->form.type);
  return demand_combiner(i, types);
}

std::string demand_comparator(const instruction &i) {
  shapes parameters;
  for (const instruction *key : i.operands)
    parameters.insert(parameters.end(), 2, scalar_shape(key->form.type));
  return demand(i, 0, parameters, scalar_shape(element_type::pred));
}

std::string demand_loop(const instruction &i) {
  const shape &state = i.operands[0]->form;
  const std::string rule =
      demand(i, 0, {state}, scalar_shape(element_type::pred));
  return rule.empty() ? demand(i, 1, {state}, state) : rule;
}

std::string demand_branches(const instruction &i) {
  const shape &selector = i.operands[0]->form;
  const bool by_pred = compatible(selector, scalar_shape(element_type::pred)) &&
                       i.attrs.called.size() == 2;
  if (!by_pred && !compatible(selector, scalar_shape(element_type::s32)))
    return "the selector must be s32[], or pred[] of two branches";
  for (std::size_t b = 0; b < i.attrs.called.size(); ++b) {
    const std::string rule = demand(i, b, {i.operands[b + 1]->form}, i.form);
    if (!rule.empty())
      return rule;
  }
  return {};
}

std::string demand_callee(const instruction &i) {
  shapes parameters;
  for (const instruction *operand : i.operands)
    parameters.push_back(operand->form);
  return demand(i, 0, parameters, i.form);
}

} // namespace

std::string broken_call_rule(const instruction &i) {
  std::size_t expected = 1;
  switch (i.op) {
  case opcode::conditional:
    expected = i.attrs.called.size();
    break;
  case opcode::while_:
    expected = 2;
    break;
  case opcode::reduce:
  case opcode::reduce_window:
  case opcode::scatter:
  case opcode::sort:
  case opcode::call:
  case opcode::all_reduce:
  case opcode::reduce_scatter:
    break;
  default:
    expected = 0;
  }
  if (i.attrs.called.size() != expected)
    return "calls " + std::to_string(i.attrs.called.size()) +
           " computations instead of " + std::to_string(expected);
  switch (i.op) {
  case opcode::reduce:
    return demand_reducer(i);
  case opcode::reduce_window:
  case opcode::scatter:
  case opcode::all_reduce:
  case opcode::reduce_scatter:
    return demand_combiner(i, {i.operands[0]->form.type});
  case opcode::sort:
    return demand_comparator(i);
  case opcode::while_:
    return demand_loop(i);
  case opcode::conditional:
    return demand_branches(i);
  case opcode::call:
    return demand_callee(i);
  default:
    return {};
  }
}

} // namespace ganglion::hlo

#include "hlo/evaluator/interpreter.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>

namespace ganglion::neuron {

using hlo::instruction;
using hlo::literal;
using hlo::shared_value;

namespace {

using refs = std::vector<buffer_ref>;

/// Ranks leave loops at different times, so the device cannot meet in one.
void refuse_collectives(const hlo::computation &c, const instruction &where) {
  for (const auto &i : c.instructions()) {
    if (is_collective(i->op))
      throw error(error_code::unsupported,
                  std::string(to_string(i->op)) + " '" + i->name + "' within " +
                      std::string(to_string(where.op)),
                  where.name);
    for (const hlo::computation *called : i->attrs.called)
      refuse_collectives(*called, where);
  }
}

/// A computation that does just this: parameters in, the operation's result
/// out.
std::shared_ptr<hlo::computation> alone(const instruction &i) {
  auto c = std::make_shared<hlo::computation>(i.name);
  std::vector<instruction *> operands;
  for (const instruction *o : i.operands) {
    hlo::attributes a;
    a.parameter_number = static_cast<std::int64_t>(operands.size());
    operands.push_back(
        c->append(hlo::opcode::parameter, o->form, {}, std::move(a)));
  }
  c->set_root(c->append(i.op, i.form, std::move(operands), i.attrs));
  return c;
}

/// Copies in, array by array; `next` walks the places.
shared_value read(const run_frame &f, const hlo::shape &s,
                  refs::const_iterator &next) {
  if (s.tuple) {
    std::vector<shared_value> parts;
    for (const auto &element : s.elements)
      parts.push_back(read(f, element, next));
    return shared_value::tuple(std::move(parts));
  }
  literal copy(s);
  const auto bytes = copy.bytes();
  if (!bytes.empty())
    std::memcpy(bytes.data(), f.at(*next), bytes.size());
  ++next;
  return shared_value::own(std::move(copy));
}

void write(const run_frame &f, const shared_value &v,
           refs::const_iterator &next) {
  for (const auto &element : v.elements)
    write(f, element, next);
  if (!v.array)
    return;
  const auto bytes = v.array->bytes();
  if (!bytes.empty())
    std::memcpy(f.at(*next), bytes.data(), bytes.size());
  ++next;
}

} // namespace

kernel_body lower_control_flow(const lowering &l) {
  for (const hlo::computation *called : l.instruction().attrs.called)
    refuse_collectives(*called, l.instruction());
  std::vector<hlo::shape> forms;
  std::vector<refs> from;
  for (std::size_t o = 0; o < l.operands(); ++o) {
    forms.push_back(l.operand(o));
    from.push_back(l.operand_refs(o));
  }
  return [body = alone(l.instruction()), forms, from,
          to = l.result_refs()](run_frame &f, work_share) {
    std::vector<hlo::lane_values> arguments;
    for (std::size_t o = 0; o < forms.size(); ++o) {
      auto next = from[o].begin();
      arguments.push_back({read(f, forms[o], next)});
    }
    const auto rank = static_cast<std::size_t>(f.rank);
    hlo::interpreter steps(rank + 1, {});
    auto next = to.begin();
    write(f, steps.run(*body, {rank}, arguments)[0], next);
  };
}

} // namespace ganglion::neuron

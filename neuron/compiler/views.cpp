#include "neuron/compiler/views.hpp"

#include "hlo/composites/views.hpp"
#include "hlo/passes/inline_calls.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace ganglion::neuron {

namespace {

using hlo::instruction;
using hlo::opcode;

using user_map =
    std::map<const instruction *, std::vector<const instruction *>>;

user_map users_in(const hlo::computation &c) {
  user_map out;
  for (const auto &i : c.instructions())
    for (const instruction *o : i->operands)
      out[o].push_back(i.get());
  return out;
}

bool is_composite(const instruction &i, std::string_view name) {
  return i.op == opcode::call && i.attrs.is_composite &&
         hlo::composite_name(i) == name;
}

/// Whether `home` is only read through views in the order that `back` undoes,
/// and only the root has `back`.
bool goes_round(const instruction *home, const instruction *back,
                const user_map &users) {
  if (!is_relaid(*back) || !users.contains(home) || users.at(back).size() != 1)
    return false;
  const auto order = hlo::inverse(hlo::order_of(*back));
  return std::ranges::all_of(users.at(home), [&](const instruction *user) {
    return is_relaid(*user) && user != back && hlo::order_of(*user) == order;
  });
}

} // namespace

bool is_untiled(const instruction &i) {
  return is_composite(i, "ganglion.untiled");
}

bool is_relaid(const instruction &i) {
  return is_composite(i, "ganglion.relaid");
}

const instruction *weight_behind(const instruction *operand) {
  if (is_untiled(*operand))
    operand = operand->operand(0);
  return operand->op == opcode::parameter ? operand : nullptr;
}

free_views::free_views(const hlo::module &m) {
  const instruction *root = m.entry()->root();
  if (root->op != opcode::tuple)
    return;
  const auto users = users_in(*m.entry());
  const auto parameters = m.entry()->parameters();
  for (const auto &a : m.aliases) {
    const instruction *back =
        root->operand(static_cast<std::size_t>(a.output_index));
    if (!goes_round(parameters[static_cast<std::size_t>(a.parameter_number)],
                    back, users))
      continue;
    caches_.insert(a.parameter_number);
    returned_.insert(back->name);
  }
}

bool free_views::contains(const instruction &relaid) const {
  const instruction *from = relaid.operand(0);
  return from->op == opcode::parameter
             ? caches_.contains(from->attrs.parameter_number)
             : returned_.contains(relaid.name);
}

void inline_other_views(hlo::module &m) {
  const free_views free(m);
  hlo::inline_calls(m, [&](const instruction &call) {
    return is_relaid(call) && !free.contains(call);
  });
}

} // namespace ganglion::neuron

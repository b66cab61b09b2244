#include "hlo/passes/common_subexpression_elimination.hpp"

#include "hlo/passes/communication.hpp"
#include "hlo/passes/rewriter.hpp"

#include <string_view>

namespace ganglion::hlo {

namespace {

std::string_view bytes_of(const literal &v) {
  return {reinterpret_cast<const char *>(v.bytes().data()), v.bytes().size()};
}

bool same_value(const std::shared_ptr<const literal> &a,
                const std::shared_ptr<const literal> &b) {
  if (a == b || !a || !b)
    return a == b;
  return a->form() == b->form() && bytes_of(*a) == bytes_of(*b);
}

bool same_attributes(const attributes &a, const attributes &b) {
  return a.dimensions == b.dimensions && a.slice_starts == b.slice_starts &&
         a.slice_limits == b.slice_limits &&
         a.slice_strides == b.slice_strides &&
         a.dynamic_slice_sizes == b.dynamic_slice_sizes &&
         a.padding == b.padding && a.dot == b.dot && a.gather == b.gather &&
         a.scatter == b.scatter && a.window == b.window &&
         a.direction == b.direction && a.total_order == b.total_order &&
         a.epsilon == b.epsilon && a.feature_index == b.feature_index &&
         a.distribution == b.distribution && a.is_stable == b.is_stable &&
         a.parameter_number == b.parameter_number &&
         a.tuple_index == b.tuple_index && a.called == b.called &&
         a.is_composite == b.is_composite && a.frontend == b.frontend &&
         a.replica_groups == b.replica_groups && a.channel_id == b.channel_id &&
         same_value(a.value, b.value);
}

struct same_instruction {
  bool operator()(const instruction *a, const instruction *b) const {
    return a->op == b->op && a->operands == b->operands && a->form == b->form &&
           same_attributes(a->attrs, b->attrs);
  }
};

/// Of what tells instructions apart most often; equality does the rest.
struct instruction_hash {
  std::size_t operator()(const instruction *i) const {
    std::size_t h = static_cast<std::size_t>(i->op);
    for (const instruction *operand : i->operands)
      mix(h, std::hash<const void *>()(operand));
    for (const computation *callee : i->attrs.called)
      mix(h, std::hash<const void *>()(callee));
    for (const dims *list :
         {&i->form.dimensions, &i->attrs.dimensions, &i->attrs.slice_starts})
      for (const auto n : *list)
        mix(h, static_cast<std::size_t>(n));
    mix(h, static_cast<std::size_t>(i->form.type));
    mix(h, static_cast<std::size_t>(i->attrs.tuple_index));
    if (i->attrs.value)
      mix(h, std::hash<std::string_view>()(bytes_of(*i->attrs.value)));
    return h;
  }

  static void mix(std::size_t &h, std::size_t more) {
    h ^= more + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  }
};

} // namespace

bool common_subexpression_elimination(module &m) {
  bool changed = false;
  communication talks;
  for (const auto &c : m.computations()) {
    std::unordered_set<instruction *, instruction_hash, same_instruction> seen;
    changed |= rewriter(*c).run([&](instruction &i) {
      if (i.op == opcode::parameter || talks.in(i))
        return &i;
      return *seen.insert(&i).first;
    });
  }
  return changed;
}

} // namespace ganglion::hlo

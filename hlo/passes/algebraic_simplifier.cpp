#include "hlo/passes/algebraic_simplifier.hpp"

#include "hlo/passes/simplifier_rules.hpp"

namespace ganglion::hlo {

namespace {

instruction *simplified(rewriter &r, instruction &i) {
  for (const auto rules : {arithmetic_rules(), movement_rules()})
    for (const simplifier_rule &rule : rules) {
      if (rule.op != i.op)
        continue;
      instruction *simpler = rule.apply(r, i);
      // A value in another layout would change what the user asked for.
      if (simpler && simpler->form == i.form)
        return simpler;
    }
  return &i;
}

} // namespace

bool algebraic_simplifier(module &m) {
  bool changed = false;
  for (const auto &c : m.computations()) {
    rewriter r(*c);
    changed |= r.run([&](instruction &i) { return simplified(r, i); });
  }
  return changed;
}

} // namespace ganglion::hlo

#include "hlo/passes/pass_pipeline.hpp"

#include "hlo/passes/algebraic_simplifier.hpp"
#include "hlo/passes/common_subexpression_elimination.hpp"
#include "hlo/passes/constant_folding.hpp"
#include "hlo/passes/dead_code_elimination.hpp"
#include "hlo/support/error.hpp"
#include "hlo/verifier.hpp"

namespace ganglion::hlo {

namespace {

constexpr int max_rounds = 16;

void check_after(const named_pass &p, const module &m) {
#ifndef NDEBUG
  try {
    verify(m);
  } catch (const error &e) {
    throw error(error_code::internal, e.describe(), "after pass " + p.name);
  }
#else
  static_cast<void>(p);
  static_cast<void>(m);
#endif
}

} // namespace

pass_pipeline &pass_pipeline::add(std::string name, pass run) {
  stages_.push_back({{{std::move(name), std::move(run)}}, 1});
  return *this;
}

pass_pipeline &pass_pipeline::add_fixpoint(std::vector<named_pass> passes) {
  stages_.push_back({std::move(passes), max_rounds});
  return *this;
}

bool pass_pipeline::run(module &m, const observer &observe) const {
  bool changed = false;
  for (const stage &s : stages_) {
    bool again = true;
    for (int round = 0; again && round < s.rounds; ++round) {
      again = false;
      for (const named_pass &p : s.passes) {
        again |= p.run(m);
        check_after(p, m);
        if (observe)
          observe(p.name, m);
      }
      changed |= again;
    }
  }
  return changed;
}

pass_pipeline simplification_pipeline() {
  pass_pipeline out;
  out.add_fixpoint(
      {{"constant_folding", constant_folding},
       {"algebraic_simplifier", algebraic_simplifier},
       {"common_subexpression_elimination", common_subexpression_elimination},
       {"dead_code_elimination", dead_code_elimination}});
  return out;
}

} // namespace ganglion::hlo

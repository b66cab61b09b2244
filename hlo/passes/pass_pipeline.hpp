// A named list of passes, run in order, some of them until nothing changes.
#pragma once

#include "hlo/module.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::hlo {

/// Changes a module in place; returns whether it did.
using pass = std::function<bool(module &)>;

struct named_pass {
  std::string name;
  pass run;
};

class pass_pipeline {
public:
  /// Called after each run of a pass, for dumps.
  using observer = std::function<void(std::string_view pass, const module &)>;

  /// Adds a pass that runs once.
  pass_pipeline &add(std::string name, pass run);
  /// Adds passes that run in turn until none changes anything, at most 16
  /// times each.
  pass_pipeline &add_fixpoint(std::vector<named_pass> passes);

  /// Runs everything on `m`. Debug builds verify the module after each pass,
  /// and blame the pass by name. Throws what passes throw.
  bool run(module &m, const observer &observe = {}) const;

private:
  struct stage {
    std::vector<named_pass> passes;
    int rounds = 1;
  };
  std::vector<stage> stages_;
};

/// Constant folding, algebraic simplification, common subexpression and dead
/// code elimination, to a fixpoint.
pass_pipeline simplification_pipeline();

} // namespace ganglion::hlo

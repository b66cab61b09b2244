// Walks computations for several partitions in lockstep; evaluator.hpp is its
// public face.
#pragma once

#include "hlo/evaluator/evaluator.hpp"
#include "hlo/evaluator/shared_value.hpp"

#include <unordered_map>

namespace ganglion::hlo {

/// One value per active partition.
using lane_values = std::vector<shared_value>;
/// Partition numbers, ascending.
using lanes = std::vector<std::size_t>;

class interpreter {
public:
  interpreter(std::size_t partitions, const evaluate_options &options)
      : partitions_(partitions),
        options_(options) {}

  /// Runs `c` for the partitions `active`; `arguments[k]` holds parameter k.
  lane_values run(const computation &c, const lanes &active,
                  const std::vector<lane_values> &arguments);

private:
  lane_values step(const instruction &i, const lanes &active,
                   const std::vector<const lane_values *> &in);
  lane_values structure(const instruction &i, const lanes &active,
                        const std::vector<const lane_values *> &in);
  lane_values loop(const instruction &i, const lanes &active,
                   lane_values state);
  lane_values branch(const instruction &i, const lanes &active,
                     const std::vector<const lane_values *> &in);
  lane_values collective(const instruction &i, const lanes &active,
                         const lane_values &in);

  std::size_t partitions_;
  evaluate_options options_;
  int depth_ = 0;
};

} // namespace ganglion::hlo

// Calls that only say in which order a parameter's elements are taken, and
// which the device spares itself by keeping the parameter in that order.
#pragma once

#include "hlo/module.hpp"

#include <set>
#include <string>

namespace ganglion::neuron {

/// The composites of hlo/composites/views.hpp.
bool is_untiled(const hlo::instruction &i);
bool is_relaid(const hlo::instruction &i);
inline bool is_view(const hlo::instruction &i) {
  return is_untiled(i) || is_relaid(i);
}

/// The parameter that `operand` is, as it stands or untiled; else null.
const hlo::instruction *weight_behind(const hlo::instruction *operand);

/// The views of caches that cost nothing: those of a parameter that the entry
/// reads in one order alone and returns in the inverse of it to the output
/// that it shares its memory with.
class free_views {
public:
  explicit free_views(const hlo::module &m);

  /// By name and parameter: `relaid` may be a copy from the same module.
  bool contains(const hlo::instruction &relaid) const;

private:
  std::set<std::int64_t> caches_;
  std::set<std::string> returned_;
};

/// Replaces views of caches that are not free by their bodies.
void inline_other_views(hlo::module &m);

} // namespace ganglion::neuron

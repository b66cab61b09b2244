// Which instructions talk to other partitions: those that no pass may merge
// or drop.
#pragma once

#include "hlo/module.hpp"

#include <unordered_map>

namespace ganglion::hlo {

/// Answers for one module, remembering what it found about computations;
/// valid while calls and collectives in them do not change.
class communication {
public:
  /// Whether `i` is a collective or calls, at any depth, one that is.
  bool in(const instruction &i);

private:
  bool in(const computation &c);

  std::unordered_map<const computation *, bool> known_;
};

} // namespace ganglion::hlo

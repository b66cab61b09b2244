#include "hlo/passes/communication.hpp"

#include <algorithm>

namespace ganglion::hlo {

bool communication::in(const instruction &i) {
  return is_collective(i.op) ||
         std::any_of(i.attrs.called.begin(), i.attrs.called.end(),
                     [&](const computation *c) { return in(*c); });
}

bool communication::in(const computation &c) {
  if (const auto found = known_.find(&c); found != known_.end())
    return found->second;
  const auto &all = c.instructions();
  return known_[&c] = std::any_of(all.begin(), all.end(),
                                  [&](const auto &i) { return in(*i); });
}

} // namespace ganglion::hlo

#include "hlo/passes/inline_composites.hpp"

#include "hlo/composite.hpp"
#include "hlo/passes/inline_calls.hpp"

namespace ganglion::hlo {

bool inline_composites(module &m, const std::set<std::string> &keep) {
  return inline_calls(m, [&](const instruction &call) {
    return call.attrs.is_composite && !keep.contains(composite_name(call));
  });
}

} // namespace ganglion::hlo

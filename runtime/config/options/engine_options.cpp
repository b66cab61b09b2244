// The table of all options: its parts in the order in which help shows them.
#include "runtime/config/options/parts.hpp"

#include <algorithm>

namespace ganglion::runtime {

const option_table &engine_options() {
  static const option_table table = [] {
    using namespace options;
    auto all = joined({model(), placement(), step(), form(), cache(),
                       scheduling(), speculation(), server(), access(),
                       container(), location(), ignored(), refused()});
    // The container's own are of several sections.
    std::ranges::stable_sort(all, {}, &option_spec::scope);
    return all;
  }();
  return table;
}

} // namespace ganglion::runtime

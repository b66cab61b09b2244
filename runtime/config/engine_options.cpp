// The table of all options: its parts in the order in which help shows them.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime {

const option_table &engine_options() {
  static const option_table table = [] {
    using namespace options;
    option_table all;
    for (const auto &part : {model(), placement(), step(), form(), cache(),
                             scheduling(), speculation(), server()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

} // namespace ganglion::runtime

#include "hlo/compile_function.hpp"

#include "hlo/verifier.hpp"

namespace ganglion::hlo {

std::unique_ptr<module> compile_function(const std::string &name,
                                         const graph_function &function,
                                         std::int64_t partitions) {
  auto out = std::make_unique<module>(name);
  out->num_partitions = partitions;
  builder entry(*out, name);
  out->set_entry(entry.build(function(entry)));
  verify(*out);
  return out;
}

} // namespace ganglion::hlo

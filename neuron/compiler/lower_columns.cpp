#include "neuron/compiler/lowering.hpp"

#include <cstring>

namespace ganglion::neuron {

kernel_body lower_take_columns(const lowering &l) {
  const auto element = static_cast<std::int64_t>(byte_size(l.result().type));
  const auto from = l.operand(0).dim(1) * element,
             to = l.result().dim(1) * element,
             first = l.attributes().integer("first") * element;
  return [=, bound = l.bound, whole = l.operand(0).dim(0), x = l.operand_ref(0),
          y = l.result_ref()](run_frame &f, work_share share) {
    const range mine = range_of(f.rows(bound, whole), share);
    for (std::int64_t r = mine.begin; r < mine.end; ++r)
      std::memcpy(f.at(y) + r * to, f.at(x) + r * from + first,
                  static_cast<std::size_t>(to));
  };
}

} // namespace ganglion::neuron

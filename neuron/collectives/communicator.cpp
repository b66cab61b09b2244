#include "neuron/collectives/communicator.hpp"

#include <algorithm>

namespace ganglion::neuron {

const char *to_string(collective_status status) {
  switch (status) {
  case collective_status::ok:
    return "ok";
  case collective_status::aborted:
    return "the collective was aborted: a rank was lost";
  case collective_status::mismatched:
    return "ranks disagree on a collective's (sequence, kind, count)";
  case collective_status::timed_out:
    return "a rank did not arrive at a collective within the stall limit";
  }
  return "unknown";
}

void place_columns(std::span<const float> part, int rank, int ranks,
                   std::int64_t rows, std::span<float> out) {
  if (rows == 0)
    return;
  const auto n = static_cast<std::int64_t>(part.size()) / rows;
  for (std::int64_t r = 0; r < rows; ++r)
    std::copy_n(part.data() + r * n, n, out.data() + (r * ranks + rank) * n);
}

} // namespace ganglion::neuron

#include "neuron/collectives/communicator.hpp"

#include <algorithm>
#include <numeric>

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

communicator::communicator(int ranks)
    : everybody_(static_cast<std::size_t>(ranks)) {
  std::iota(everybody_.begin(), everybody_.end(), 0);
}

collective_status communicator::all_gather(int rank, std::uint64_t sequence,
                                           std::int64_t rows,
                                           std::span<const float> in,
                                           std::span<float> out) {
  column_pick whole{everybody_};
  whole.count = rows > 0 ? static_cast<std::int64_t>(in.size()) / rows : 0;
  return take_columns(rank, sequence, collective_kind::all_gather, rows, in,
                      whole, out);
}

void take_part(std::span<const float> part, std::size_t member,
               const column_pick &pick, std::int64_t rows,
               std::span<float> out) {
  if (rows == 0)
    return;
  const auto n = static_cast<std::int64_t>(part.size()) / rows;
  const auto place = static_cast<std::int64_t>(pick.summed ? 0 : member);
  for (std::int64_t r = 0; r < rows; ++r) {
    const float *from = part.data() + r * n + pick.first;
    float *to = out.data() + r * pick.width() + place * pick.count;
    if (!pick.summed || member == 0)
      std::copy_n(from, pick.count, to);
    else
      for (std::int64_t i = 0; i < pick.count; ++i)
        to[i] += from[i];
  }
}

} // namespace ganglion::neuron

#include "runtime/scheduling/fair_queue.hpp"

namespace ganglion::runtime {

std::int64_t fair_queue::turn_of(const sequence_request &request,
                                 std::int64_t positions) {
  auto &end = ends_[request.client];
  const auto turn = std::max(now_, end);
  if (request.generated_before > 0) {
    end = turn + 1;
    return now_;
  }
  end = turn + positions;
  return turn;
}

void fair_queue::reset() {
  now_ = 0;
  ends_.clear();
}

} // namespace ganglion::runtime

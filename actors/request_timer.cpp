#include "actors/request_timer.hpp"

namespace ganglion::actors {

void request_timer::note(const sequence_progress &p) {
  if (!queued_) {
    queued_ = p.queued;
    metrics_.queue_time.observe(p.queued);
  }
  if (!p.token)
    return;
  if (!first_token_) {
    first_token_ = p.at - arrived_;
    metrics_.first_token.observe(*first_token_);
  }
  const auto choice = static_cast<std::size_t>(p.choice);
  if (last_token_.size() <= choice)
    last_token_.resize(choice + 1);
  if (const auto &before = last_token_[choice])
    metrics_.token_gap.observe(p.at - *before);
  last_token_[choice] = p.at;
}

runtime::request_timing request_timer::timing(time_point now) const {
  return {queued_.value_or(duration{}), first_token_.value_or(duration{}),
          now - arrived_};
}

} // namespace ganglion::actors

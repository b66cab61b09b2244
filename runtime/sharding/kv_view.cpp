#include "runtime/sharding/kv_view.hpp"

#include <algorithm>

namespace ganglion::runtime {

kv_view::kv_view(const hlo::placement &placed, std::int64_t rank,
                 std::int64_t block_positions, std::int64_t blocks)
    : block_(block_positions),
      blocks_(blocks),
      stripes_(placed.stripes()),
      stripe_(rank % stripes_),
      pools_(placed.kv_partitions()),
      pool_(rank % pools_) {}

std::int32_t kv_view::write_slot(std::int32_t plan_slot,
                                 std::int32_t slot) const {
  if (slot % pools_ != pool_)
    return nowhere();
  const std::int64_t block = plan_slot / plan_block();
  const std::int64_t offset = plan_slot % plan_block();
  if (offset / block_ != stripe_)
    return nowhere();
  return static_cast<std::int32_t>(block * block_ + offset % block_);
}

std::int32_t kv_view::kept(std::int32_t length, std::int32_t slot) const {
  if (slot % pools_ != pool_)
    return 0;
  const std::int64_t whole = length / plan_block();
  const std::int64_t rest = length % plan_block() - stripe_ * block_;
  return static_cast<std::int32_t>(whole * block_ +
                                   std::clamp<std::int64_t>(rest, 0, block_));
}

} // namespace ganglion::runtime

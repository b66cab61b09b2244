// How one rank sees the KV pools: plans speak of whole blocks and all
// sequences, a rank may keep some sequences only, or a part of every block.
#pragma once

#include "hlo/decoder/placement.hpp"

#include <span>

namespace ganglion::runtime {

/// Turns the slots and lengths of a plan into those of one rank. Allocates
/// nothing.
class kv_view {
public:
  /// `block_positions`: of the rank's own blocks; `blocks`: of its pool.
  kv_view(const hlo::placement &placed, std::int64_t rank,
          std::int64_t block_positions, std::int64_t blocks);

  /// Positions that a block of a plan covers, on all ranks together.
  std::int64_t plan_block() const { return stripes_ * block_; }
  /// The write slot of padding rows, and of rows that others keep.
  std::int32_t nowhere() const {
    return static_cast<std::int32_t>(blocks_ * block_);
  }

  /// Where the rank writes a row of sequence slot `slot`.
  std::int32_t write_slot(std::int32_t plan_slot, std::int32_t slot) const;
  /// How many of a sequence's first `length` positions the rank keeps.
  std::int32_t kept(std::int32_t length, std::int32_t slot) const;
  /// Whether positions stay as they are; else a row at position p sees the
  /// first `kept(p + 1)` positions of the rank.
  bool counts_all() const { return stripes_ == 1; }

private:
  std::int64_t block_, blocks_, stripes_, stripe_, pools_, pool_;
};

} // namespace ganglion::runtime

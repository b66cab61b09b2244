// The logits that a group gives for a prompt, to compare with a golden's.
#pragma once

#include "tests/golden.hpp"
#include "tests/runtime/shard_group.hpp"

namespace ganglion::testing {

/// All logits of a prompt, fed in pieces of at most a chunk.
inline std::vector<float> prompt_logits(shard_group &group, std::int32_t slot,
                                        std::span<const std::int32_t> ids) {
  std::vector<float> all;
  const auto chunk = static_cast<std::size_t>(group.plan().chunk);
  for (std::size_t first = 0; first < ids.size(); first += chunk) {
    const auto part = ids.subspan(first, std::min(chunk, ids.size() - first));
    const auto logits = group.feed(slot, static_cast<std::int64_t>(first), part,
                                   static_cast<std::int64_t>(ids.size()));
    all.insert(all.end(), logits.begin(), logits.end());
  }
  return all;
}

inline std::int32_t argmax(std::span<const float> row) {
  return static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) -
                                   row.begin());
}

} // namespace ganglion::testing

// One sequence in the scheduler: its tokens, how far they are computed and
// the KV blocks that hold them.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/generation/finish_reason.hpp"
#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/scheduling/prefix_cache.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ganglion::runtime {

using request_id = std::uint64_t;

/// What a request asks of the scheduler.
struct sequence_request {
  request_id id = 0;
  std::vector<std::int32_t> prompt; ///< not empty
  sampling_parameters sampling;
  std::int64_t max_new_tokens = 0;
  /// Ids that end the text, the model's own or the request's.
  std::shared_ptr<const std::set<std::int32_t>> eos_ids, stop_ids;
  std::optional<time_point> deadline;
  /// The logits of every prompt position are wanted, and no new token.
  bool prompt_logits = false;
  /// Requests share computed prefixes with those of the same salt only.
  std::string cache_salt;

  /// Logits are computed, not remembered.
  bool reads_prefix_cache() const { return !prompt_logits; }
};

struct sequence {
  explicit sequence(sequence_request r)
      : request(std::move(r)),
        tokens(request.prompt) {}

  sequence_request request;
  std::vector<std::int32_t> tokens; ///< prompt and output known so far
  std::int64_t pending = 0;       ///< sampled in steps under way, not known yet
  std::int64_t computed = 0;      ///< positions written or being written
  std::int64_t prompt_logits = 0; ///< positions whose logits were asked for
  std::int32_t slot = -1;         ///< -1: waiting
  std::vector<std::int32_t> blocks;
  std::int64_t published = 0; ///< of the blocks, those others may find
  prefix_cache::chain chain = prefix_cache::start; ///< of the last of them
  /// Prompt positions that were found computed at the first admission.
  std::int64_t cached = 0;

  std::int64_t length() const {
    return static_cast<std::int64_t>(tokens.size()) + pending;
  }
  std::int64_t generated() const {
    return length() - static_cast<std::int64_t>(request.prompt.size());
  }
  /// Positions whose keys and values are still to be computed.
  std::int64_t rows_left() const { return length() - computed; }
};

} // namespace ganglion::runtime

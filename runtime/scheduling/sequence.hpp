// One sequence in the scheduler: its tokens, how far they are computed and
// the KV blocks that hold them.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/generation/finish_reason.hpp"
#include "runtime/generation/request_id.hpp"
#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/scheduling/prefix_cache.hpp"
#include "runtime/speculation/speculation.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ganglion::runtime {

/// One of the choices of a request. In order of arrival.
struct sequence_id {
  request_id request = 0;
  std::int32_t choice = 0;
  auto operator<=>(const sequence_id &) const = default;
};

/// What a request asks of the scheduler.
struct sequence_request {
  sequence_id id;
  std::vector<std::int32_t> prompt; ///< not empty
  sampling_parameters sampling;
  std::int64_t max_new_tokens = 0;
  /// Ids that end the text, the model's own or the request's.
  std::shared_ptr<const std::set<std::int32_t>> eos_ids, stop_ids;
  std::optional<time_point> deadline;
  time_point arrived{};
  std::size_t client = 0;        ///< who asks: clients get equal shares
  bool prompt_only = false;      ///< no new token is wanted
  std::int32_t top_logprobs = 0; ///< alternatives of every new token
  bool processed_logprobs = false;
  bool beam_scores = false; ///< the alternatives are scored as beams are
  /// Tokens at the end of `prompt` that were generated, by earlier requests.
  std::int64_t generated_before = 0;
  /// The logits of every prompt position are wanted.
  bool prompt_logits = false;
  /// The log-probs of the prompt's tokens are wanted, and so many
  /// alternatives of each.
  std::optional<std::int32_t> prompt_logprobs;
  /// Requests share computed prefixes with those of the same salt only.
  std::string cache_salt;

  /// Prompt positions, from the first, that something is asked of.
  std::int64_t asked_positions() const {
    const auto size = static_cast<std::int64_t>(prompt.size());
    const bool asks = prompt_logits || prompt_logprobs;
    // The last one tells of the first new token.
    return !asks ? 0 : prompt_only ? size : size - 1;
  }
  /// Tokens of the text that generation began with.
  std::int64_t given() const {
    return static_cast<std::int64_t>(prompt.size()) - generated_before;
  }
  /// What is asked of a position must be computed.
  bool reads_prefix_cache() const { return asked_positions() == 0; }
};

struct sequence {
  explicit sequence(sequence_request r)
      : request(std::move(r)),
        tokens(request.prompt) {}

  sequence_request request;
  std::vector<std::int32_t> tokens; ///< prompt and output known so far
  std::int64_t pending = 0;      ///< sampled in steps under way, not known yet
  std::int64_t guessed = 0;      ///< rows of the step under way: guesses
  std::int64_t computed = 0;     ///< positions written or being written
  std::int64_t prompt_asked = 0; ///< of `asked_positions`, those planned
  std::int32_t slot = -1;        ///< -1: waiting
  std::int64_t turn = 0;         ///< among those that wait (fair_queue.hpp)
  std::vector<std::int32_t> blocks;
  std::int64_t published = 0; ///< of the blocks, those others may find
  prefix_cache::chain chain = prefix_cache::start; ///< of the last of them
  /// Prompt positions that were found computed at the first admission.
  std::int64_t cached = 0;
  std::optional<speculation> guesses; ///< nothing: none are made
  std::optional<time_point> admitted; ///< for the first time

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

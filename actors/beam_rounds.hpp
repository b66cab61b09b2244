// Beam search of one request, in rounds: every followed beam is a sequence
// that is asked for its likeliest next tokens.
#pragma once

#include "actors/messages.hpp"
#include "runtime/generation/beam_search.hpp"

namespace ganglion::actors {

/// Belongs to one request actor. A round's sequences start from the KV blocks
/// that rounds before filled, those of beams that part included; what is in no
/// full block yet is computed again.
class beam_rounds {
public:
  /// `first`: what a plain request would ask of the scheduler.
  beam_rounds(runtime::sequence_request first, runtime::beam_settings settings);

  /// The sequences of the next round.
  std::shared_ptr<std::vector<runtime::sequence_request>> next() const;
  /// What a beam was told; true with the last of the round.
  bool take(const sequence_progress &p);
  const runtime::beam_search &search() const { return search_; }

private:
  runtime::sequence_request first_;
  runtime::beam_search search_;
  std::vector<std::vector<runtime::token_score>> told_;
  std::size_t missing_ = 1;
};

} // namespace ganglion::actors

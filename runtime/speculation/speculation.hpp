// Decides when a sequence's next tokens are guessed, and how many of them:
// from how guesses fared, and from what a row costs.
#pragma once

#include "runtime/generation/guess_counts.hpp"
#include "runtime/speculation/acceptance.hpp"
#include "runtime/speculation/guesser.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// Belongs to one sequence. While it does not draft, guesses of the next token
/// are made all the same and compared with what comes, which costs no step any
/// time: so drafting begins where it pays, and ends where it no longer does.
///
/// `row_share` is the time of all rows beside that of the whole step.
///
/// Without a guesser a draft model guesses inside the step, and must follow the
/// sequence from its beginning: once it is given up it stays so.
class speculation {
public:
  /// `longest`: guesses in a row at most, at least 1. `placeholder` stands for
  /// the guesses of a draft model.
  speculation(std::unique_ptr<guesser> from, std::int64_t longest,
              std::int32_t placeholder);

  /// Whether guesses go into steps, which must then be planned one by one.
  bool drafts() const { return drafts_; }
  /// Whether a draft model must compute the sequence's positions.
  bool follows() const { return !guesser_ && record_.promising(); }
  /// Guesses, at most `most`, of what comes after `tokens`. Valid until the
  /// next call.
  std::span<const std::int32_t> draft(std::span<const std::int32_t> tokens,
                                      std::int64_t most, double row_share);
  /// The first `held` of a step's `guesses` guesses were right.
  void note_judged(std::int64_t guesses, std::int64_t held, double row_share);
  /// The last one of `tokens` came from a step without guesses.
  void note_token(std::span<const std::int32_t> tokens, double row_share);

  const guess_counts &counts() const { return counts_; }

private:
  bool pays(double row_share) const;

  std::unique_ptr<guesser> guesser_;
  std::int64_t longest_;
  std::int32_t placeholder_;
  acceptance record_;
  /// What is guessed to come next while nothing is drafted; -1: nothing.
  std::int32_t expected_ = -1;
  bool drafts_ = false;
  guess_counts counts_;
  std::vector<std::int32_t> guesses_;
};

} // namespace ganglion::runtime

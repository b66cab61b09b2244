// How often guesses of a sequence's next token were right lately, and how
// many of them are therefore worth a row each.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

/// Belongs to one sequence.
class acceptance {
public:
  acceptance() = default;
  /// As if so many guesses had been judged before.
  acceptance(double judged, double right) : right_(right), judged_(judged) {}

  /// A run of `guesses` of which the first `right` were right; what comes
  /// after a wrong one was not judged.
  void note(std::int64_t guesses, std::int64_t right);
  /// That the next guess is right, 1/2 where nothing is known.
  double chance() const { return (right_ + 1) / (judged_ + 2); }
  /// Whether guesses are right often enough to be judged by the model at all.
  bool promising() const;
  /// Guesses, at most `most`, of which each one is likelier to be right (with
  /// all before it) than the share of a step's time that its row takes.
  std::int64_t worthwhile(std::int64_t most, double row_share) const;

private:
  double right_ = 0, judged_ = 0; ///< older ones count less
};

} // namespace ganglion::runtime

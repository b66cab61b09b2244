#include "runtime/speculation/speculation.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

/// A draft model is believed in until it errs.
const acceptance trusted(5, 4);

} // namespace

speculation::speculation(std::unique_ptr<guesser> from, std::int64_t longest,
                         std::int32_t placeholder)
    : guesser_(std::move(from)),
      longest_(longest),
      placeholder_(placeholder) {
  if (!guesser_)
    record_ = trusted;
}

bool speculation::pays(double row_share) const {
  return record_.promising() && record_.worthwhile(1, row_share) > 0;
}

std::span<const std::int32_t>
speculation::draft(std::span<const std::int32_t> tokens, std::int64_t most,
                   double row_share) {
  guesses_.clear();
  const auto count = record_.worthwhile(std::min(most, longest_), row_share);
  if (count > 0 && guesser_)
    guesser_->continue_after(tokens, static_cast<std::size_t>(count), guesses_);
  else if (count > 0)
    guesses_.assign(static_cast<std::size_t>(count), placeholder_);
  // Nothing to guess from: steps are planned ahead again.
  drafts_ = !guesses_.empty();
  return guesses_;
}

void speculation::note_judged(std::int64_t guesses, std::int64_t held,
                              double row_share) {
  counts_.judged += guesses;
  counts_.held += held;
  record_.note(guesses, held);
  expected_ = -1;
  drafts_ = pays(row_share);
}

void speculation::note_token(std::span<const std::int32_t> tokens,
                             double row_share) {
  if (expected_ >= 0)
    record_.note(1, expected_ == tokens.back() ? 1 : 0);
  if (guesser_) {
    guesses_.clear();
    guesser_->continue_after(tokens, 1, guesses_);
    expected_ = guesses_.empty() ? -1 : guesses_[0];
  }
  drafts_ = (expected_ >= 0 || !guesser_) && pays(row_share);
}

} // namespace ganglion::runtime

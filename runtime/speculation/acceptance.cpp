#include "runtime/speculation/acceptance.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

/// What a guess counts after another one: about the last twenty matter.
constexpr double ageing = 0.95;
/// Rarer right guesses gain less than waiting for each step's tokens costs.
constexpr double least_chance = 0.6;
/// Rows that hardly ever hold are not worth even little time.
constexpr double least_share = 0.1;

} // namespace

void acceptance::note(std::int64_t guesses, std::int64_t right) {
  for (std::int64_t i = 0; i < std::min(guesses, right + 1); ++i) {
    right_ = right_ * ageing + (i < right ? 1 : 0);
    judged_ = judged_ * ageing + 1;
  }
}

bool acceptance::promising() const { return chance() >= least_chance; }

std::int64_t acceptance::worthwhile(std::int64_t most, double row_share) const {
  const double least = std::max(row_share, least_share);
  std::int64_t count = 0;
  for (double right = chance(); count < most && right >= least;
       right *= chance())
    ++count;
  return count;
}

} // namespace ganglion::runtime

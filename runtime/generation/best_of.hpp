// Holds the choices of a request back until all have ended, and then tells the
// best of them.
#pragma once

#include "runtime/generation/generation_event.hpp"

#include <vector>

namespace ganglion::runtime {

/// Belongs to one request.
class best_of {
public:
  /// Of `generated` choices, `told` are told.
  best_of(std::int32_t generated, std::int32_t told);

  /// Takes the event of a choice. Once all have ended, returns one event for
  /// each of the best, numbered anew: by mean log-probability of their
  /// tokens, the lower number first among equals.
  std::vector<generation_event> take(generation_event event);

private:
  struct held_choice {
    generation_event event;
    double logprobs = 0;
    double mean() const;
  };
  std::vector<generation_event> best();

  std::vector<held_choice> choices_;
  std::size_t told_, ended_ = 0;
};

} // namespace ganglion::runtime

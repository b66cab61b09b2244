// Whoever guesses how a sequence goes on: the model then judges all guesses
// in one step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// Belongs to one sequence. Guesses may be wrong but are ids of the
/// vocabulary; whatever they are, no token that is generated changes.
class guesser {
public:
  virtual ~guesser() = default;

  /// Appends at most `most` guesses of what comes after `tokens`, prompt and
  /// output, in order; none where it has no idea. The tokens only grow from
  /// call to call.
  virtual void continue_after(std::span<const std::int32_t> tokens,
                              std::size_t most,
                              std::vector<std::int32_t> &out) = 0;
};

/// Makes the guesser of a new sequence; null: a model beside the large one
/// guesses, in the step itself.
using guesser_factory = std::function<std::unique_ptr<guesser>()>;

} // namespace ganglion::runtime

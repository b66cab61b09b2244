// What another row would add to the time of a step, learnt from the steps.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

/// A line through the times of past steps, of which older ones count less.
class row_cost {
public:
  void note(std::int64_t rows, std::int64_t nanoseconds);
  /// The time of `rows` rows beside that of a step with them: near 0 where the
  /// weights decide, near 1 where the arithmetic does.
  double share(std::int64_t rows) const;
  /// The most rows, of at most `most`, that take at most `nanoseconds`; all of
  /// them before the first step.
  std::int64_t rows_within(std::int64_t nanoseconds, std::int64_t most) const;

private:
  struct line {
    double start = 0, slope = 0; ///< nanoseconds, and for each row
  };
  line fitted() const;

  double steps_ = 0, rows_ = 0, times_ = 0, rows_squared_ = 0, products_ = 0;
};

} // namespace ganglion::runtime

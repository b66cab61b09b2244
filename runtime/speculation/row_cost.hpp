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

private:
  double steps_ = 0, rows_ = 0, times_ = 0, rows_squared_ = 0, products_ = 0;
};

} // namespace ganglion::runtime

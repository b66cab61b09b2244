#include "runtime/speculation/row_cost.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

constexpr double ageing = 0.98; ///< about the last fifty steps matter

/// Before steps of different sizes were seen: a step of 16 rows takes twice
/// the time of an empty one.
constexpr double usual_rows = 16;

} // namespace

void row_cost::note(std::int64_t rows, std::int64_t nanoseconds) {
  const auto r = static_cast<double>(rows);
  const auto t = static_cast<double>(nanoseconds);
  steps_ = steps_ * ageing + 1;
  rows_ = rows_ * ageing + r;
  times_ = times_ * ageing + t;
  rows_squared_ = rows_squared_ * ageing + r * r;
  products_ = products_ * ageing + r * t;
}

row_cost::line row_cost::fitted() const {
  const double spread = steps_ * rows_squared_ - rows_ * rows_;
  // Sizes that hardly differ say nothing about the slope.
  if (spread < 0.01 * steps_ * rows_squared_ || times_ <= 0) {
    const double start =
        steps_ > 0 ? times_ / (steps_ + rows_ / usual_rows) : 0;
    return {start, start / usual_rows};
  }
  const double slope =
      std::max((steps_ * products_ - rows_ * times_) / spread, 0.0);
  return {std::max((times_ - slope * rows_) / steps_, 0.0), slope};
}

double row_cost::share(std::int64_t rows) const {
  const auto r = static_cast<double>(rows);
  if (times_ <= 0)
    return r / (r + usual_rows);
  const auto [start, slope] = fitted();
  const double whole = start + slope * r;
  return whole > 0 ? slope * r / whole : 0;
}

std::int64_t row_cost::rows_within(std::int64_t nanoseconds,
                                   std::int64_t most) const {
  const auto [start, slope] = fitted();
  const double rows = (static_cast<double>(nanoseconds) - start) / slope;
  if (!(slope > 0) || rows >= static_cast<double>(most))
    return most;
  return std::max(static_cast<std::int64_t>(rows), std::int64_t{0});
}

} // namespace ganglion::runtime

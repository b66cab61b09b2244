// Combines elements one after another with a reduction's computation: exactly
// for the usual single operations, by running the computation for any other.
#pragma once

#include "hlo/evaluator/scalar_function.hpp"

#include <optional>

namespace ganglion::hlo {

/// The operation that a computation of two scalars of one type stands for when
/// it is just add, multiply, maximum, minimum, and, or over its parameters.
std::optional<opcode> plain_combiner(const computation &c);

/// A running combination of one element of each of N arrays. Plain floating
/// combiners keep a double and round in `write`; any other computation rounds
/// where it says so. Not thread-safe; the computation must outlive it.
class accumulator {
public:
  /// `arrays`: one view per combined array, for their element types. Throws
  /// `invalid_argument` when the computation does not take twice as many.
  accumulator(const computation &c, std::span<const literal_view> arrays);

  /// Starts from element `i` of each of `from`.
  void begin(std::span<const literal_view> from, std::int64_t i);
  /// Combines element `i` of each of `from`.
  void take(std::span<const literal_view> from, std::int64_t i);
  /// Writes the result to element `i` of each of `to`.
  void write(std::span<const literal_view> to, std::int64_t i) const;

private:
  void run();

  std::optional<opcode> plain_;
  element_type type_;
  double real_ = 0;
  std::int64_t integer_ = 0;
  std::optional<scalar_function> function_;
  std::vector<std::uint64_t> results_;
};

} // namespace ganglion::hlo

// A computation over scalars, flattened once and then run per element: the
// combiners of reductions and the comparators of sorts.
#pragma once

#include "hlo/module.hpp"

#include <deque>
#include <span>

namespace ganglion::hlo {

/// Holds the memory of every scalar inside; not thread-safe. The computation
/// must outlive it. Throws `unsupported` when the computation holds anything
/// but scalars, flat tuples, plain operations and calls.
class scalar_function {
public:
  explicit scalar_function(const computation &c);
  // Views point into the function itself.
  scalar_function(const scalar_function &) = delete;
  scalar_function &operator=(const scalar_function &) = delete;

  std::size_t argument_count() const { return arguments_.size(); }
  const literal_view &argument(std::size_t k) const { return arguments_[k]; }
  /// Computes the results from the arguments.
  void run() const;
  std::size_t result_count() const { return results_.size(); }
  const literal_view &result(std::size_t k) const { return results_[k]; }

private:
  using values = std::vector<literal_view>;
  struct step {
    const instruction *operation;
    values inputs;
    literal_view output;
  };

  literal_view scalar(const instruction &i);
  values emit(const computation &c, const std::vector<values> &arguments,
              int depth);
  values emit(const instruction &i, const std::vector<values> &inputs,
              int depth);

  std::deque<std::uint64_t> memory_;
  std::vector<step> steps_;
  values arguments_, results_;
};

} // namespace ganglion::hlo

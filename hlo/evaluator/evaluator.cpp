#include "hlo/evaluator/evaluator.hpp"

#include "hlo/evaluator/interpreter.hpp"
#include "hlo/support/error.hpp"

namespace ganglion::hlo {

namespace {

using partition_arguments = std::span<const std::span<const literal>>;

std::vector<literal> run(const module &m, partition_arguments arguments,
                         const evaluate_options &options) {
  if (!m.entry())
    throw error(error_code::invalid_argument, "has no entry computation",
                m.name());
  if (static_cast<std::int64_t>(arguments.size()) != m.num_partitions)
    throw error(error_code::invalid_argument,
                "arguments for " + std::to_string(arguments.size()) +
                    " partitions; the module has " +
                    std::to_string(m.num_partitions),
                m.name(), "num_partitions");
  const auto count = m.entry()->parameters().size();
  lanes all;
  std::vector<lane_values> values(count);
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    all.push_back(p);
    if (arguments[p].size() != count)
      throw error(error_code::invalid_argument,
                  "takes " + std::to_string(count) + " arguments, not " +
                      std::to_string(arguments[p].size()),
                  m.name(), "partition " + std::to_string(p));
    for (std::size_t k = 0; k < count; ++k)
      values[k].push_back(shared_value::borrow(arguments[p][k]));
  }
  interpreter steps(arguments.size(), options);
  std::vector<literal> out;
  for (const auto &v : steps.run(*m.entry(), all, values))
    out.push_back(v.copy());
  return out;
}

} // namespace

literal evaluate(const module &m, std::span<const literal> arguments,
                 const evaluate_options &options) {
  return std::move(run(m, {&arguments, 1}, options).front());
}

std::vector<literal>
evaluate_partitions(const module &m,
                    const std::vector<std::vector<literal>> &arguments,
                    const evaluate_options &options) {
  std::vector<std::span<const literal>> spans(arguments.begin(),
                                              arguments.end());
  return run(m, spans, options);
}

} // namespace ganglion::hlo

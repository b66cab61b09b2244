#include "hlo/evaluator/accumulator.hpp"

#include "hlo/evaluator/arithmetic.hpp"
#include "hlo/evaluator/strided.hpp"

namespace ganglion::hlo {

std::optional<opcode> plain_combiner(const computation &c) {
  const instruction *root = c.root();
  switch (root->op) {
  case opcode::add:
  case opcode::multiply:
  case opcode::maximum:
  case opcode::minimum:
  case opcode::and_:
  case opcode::or_:
    break;
  default:
    return std::nullopt;
  }
  const instruction *x = root->operand(0), *y = root->operand(1);
  if (x->op != opcode::parameter || y->op != opcode::parameter || x == y)
    return std::nullopt;
  return root->op;
}

namespace {

void check(const scalar_function &f, std::span<const literal_view> arrays,
           const computation &c) {
  const auto n = arrays.size();
  bool fits = f.argument_count() == 2 * n && f.result_count() == n;
  for (std::size_t k = 0; fits && k < n; ++k) {
    const auto type = arrays[k].form->type;
    fits = f.argument(k).form->type == type &&
           f.argument(n + k).form->type == type &&
           f.result(k).form->type == type;
  }
  if (!fits)
    throw error(error_code::invalid_argument,
                "a combiner takes two scalars per array and gives one, all of "
                "the array's type",
                "reduction", c.name());
}

} // namespace

accumulator::accumulator(const computation &c,
                         std::span<const literal_view> arrays)
    : type_(arrays[0].form->type) {
  if (arrays.size() == 1 && c.root()->form.type == type_)
    plain_ = plain_combiner(c);
  if (plain_)
    return;
  function_.emplace(c);
  check(*function_, arrays, c);
  results_.resize(arrays.size());
}

void accumulator::begin(std::span<const literal_view> from, std::int64_t i) {
  if (plain_) {
    if (is_floating(type_))
      real_ = from[0].real(i);
    else
      integer_ = from[0].integer(i);
    return;
  }
  for (std::size_t k = 0; k < from.size(); ++k)
    copy_element(from[k], i, function_->argument(k), 0);
}

void accumulator::take(std::span<const literal_view> from, std::int64_t i) {
  if (!plain_) {
    for (std::size_t k = 0; k < from.size(); ++k)
      copy_element(from[k], i, function_->argument(from.size() + k), 0);
    run();
  } else if (is_floating(type_)) {
    real_ = real_binary(*plain_, real_, from[0].real(i));
  } else if (type_ == element_type::u64) {
    integer_ = static_cast<std::int64_t>(
        integer_binary(*plain_, static_cast<std::uint64_t>(integer_),
                       static_cast<std::uint64_t>(from[0].integer(i)), 64));
  } else {
    integer_ = integer_binary(*plain_, integer_, from[0].integer(i), 64);
  }
}

// Results may be arguments themselves (a swap), hence the copy between.
void accumulator::run() {
  function_->run();
  const auto n = results_.size();
  for (std::size_t k = 0; k < n; ++k)
    std::memcpy(&results_[k], function_->result(k).data, sizeof(std::uint64_t));
  for (std::size_t k = 0; k < n; ++k)
    std::memcpy(function_->argument(k).data, &results_[k],
                sizeof(std::uint64_t));
}

void accumulator::write(std::span<const literal_view> to,
                        std::int64_t i) const {
  if (!plain_) {
    for (std::size_t k = 0; k < to.size(); ++k)
      copy_element(function_->argument(k), 0, to[k], i);
  } else if (is_floating(type_)) {
    to[0].set_real(i, real_);
  } else {
    to[0].set_integer(i, integer_);
  }
}

} // namespace ganglion::hlo

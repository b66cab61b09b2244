#include "hlo/decoder/placement.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::hlo {

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

std::string divisors_of(std::int64_t n) {
  std::string out;
  for (std::int64_t d = 1; d <= n; ++d)
    if (n % d == 0)
      out += (out.empty() ? "" : ", ") + std::to_string(d);
  return out;
}

} // namespace

placement::placement(const decoder_spec &spec, std::int64_t tp_degree)
    : tp_degree_(tp_degree) {
  if (tp_degree < 1 || spec.heads % tp_degree != 0)
    throw error(error_code::invalid_argument,
                std::to_string(tp_degree) + " does not divide the model's " +
                    std::to_string(spec.heads) +
                    " attention heads; accepted: " + divisors_of(spec.heads),
                spec.family, "tensor_parallel_degree");
  heads_ = spec.heads / tp_degree;
  group_ = spec.heads / spec.kv_heads;
  if (spec.kv_heads % tp_degree == 0)
    kv_heads_ = spec.kv_heads / tp_degree;
  else
    kv_heads_ = group_ % heads_ == 0 ? 1 : heads_;
  mlp_ = divide_up(spec.mlp, tp_degree);
  vocabulary_ = divide_up(spec.vocabulary, tp_degree);
}

std::vector<std::int64_t> placement::kv_heads_of(std::int64_t rank) const {
  std::vector<std::int64_t> out;
  const std::int64_t shared = heads_ / kv_heads_;
  for (std::int64_t i = 0; i < kv_heads_; ++i)
    out.push_back((rank * heads_ + i * shared) / group_);
  return out;
}

} // namespace ganglion::hlo

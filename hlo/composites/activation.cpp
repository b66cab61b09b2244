#include "hlo/composites/activation.hpp"

#include <cmath>
#include <iterator>

namespace ganglion::hlo {

namespace {

constexpr std::string_view names[] = {"none", "silu", "gelu_tanh", "gelu_erf",
                                      "relu"};

value gelu_tanh(builder &b, value x) {
  const value cube = b.multiply(b.multiply(x, x), x);
  const value inner =
      b.multiply(b.filled_like(x, std::sqrt(2.0 / M_PI)),
                 b.add(x, b.multiply(b.filled_like(x, 0.044715), cube)));
  const value one = b.filled_like(x, 1.0);
  return b.multiply(b.multiply(b.filled_like(x, 0.5), x),
                    b.add(one, b.unary(opcode::tanh, inner)));
}

value gelu_erf(builder &b, value x) {
  const value scaled = b.multiply(x, b.filled_like(x, std::sqrt(0.5)));
  const value one = b.filled_like(x, 1.0);
  return b.multiply(b.multiply(b.filled_like(x, 0.5), x),
                    b.add(one, b.unary(opcode::erf, scaled)));
}

} // namespace

std::string_view to_string(activation f) { return names[static_cast<int>(f)]; }

std::optional<activation> activation_from(std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == text)
      return static_cast<activation>(i);
  return std::nullopt;
}

value apply_activation(builder &b, activation f, value x) {
  switch (f) {
  case activation::none:
    return x;
  case activation::silu:
    return b.multiply(x, b.unary(opcode::logistic, x));
  case activation::gelu_tanh:
    return gelu_tanh(b, x);
  case activation::gelu_erf:
    return gelu_erf(b, x);
  case activation::relu:
    return b.maximum(x, b.filled_like(x, 0.0));
  }
  return x;
}

} // namespace ganglion::hlo

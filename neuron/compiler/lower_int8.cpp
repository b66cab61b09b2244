// Products of int8 rows with int8 weights, and how rows become int8.
#include "hlo/composites/activation.hpp"
#include "neuron/compiler/lowering.hpp"

#include <optional>

namespace ganglion::neuron {

namespace {

const float *floats(const run_frame &f, buffer_ref ref) {
  return reinterpret_cast<const float *>(f.at(ref));
}

kernel_body lower_rows(const lowering &l,
                       void (*run)(const quantise_args &, work_share),
                       std::optional<buffer_ref> scale) {
  quantise_args a{};
  a.type = l.operand(0).type;
  a.width = l.operand(0).dim(1);
  return [=, bound = l.bound, whole = l.operand(0).dim(0), x = l.operand_ref(0),
          y = l.result_ref()](run_frame &f, work_share share) {
    quantise_args call = a;
    call.rows = f.rows(bound, whole);
    call.x = f.at(x);
    call.scale = scale ? floats(f, *scale) : nullptr;
    call.out = f.at(y);
    run(call, share);
  };
}

/// Where the operands of one product lie.
struct product_refs {
  buffer_ref weight, scale;
  std::optional<buffer_ref> bias;
};

/// Operands: x, `weights` matrices, their scales, the rows' scale, biases.
product_refs product_of(const lowering &l, std::size_t weights, std::size_t i) {
  const std::size_t bias = 2 + 2 * weights + i;
  return {l.operand_ref(1 + i), l.operand_ref(1 + weights + i),
          bias < l.operands() ? std::optional(l.operand_ref(bias))
                              : std::nullopt};
}

kernel_body lower_product(const lowering &l, std::size_t weights) {
  const std::size_t row_scale = 1 + 2 * weights;
  linear_args a{};
  a.type = a.weight_type = element_type::s8;
  a.bias_type = row_scale + 1 < l.operands() ? l.operand(row_scale + 1).type
                                             : element_type::f32;
  a.out_type = l.result().type;
  a.n = l.operand(1).dim(0);
  a.k = l.operand(1).dim(1);
  a.activation = static_cast<act>(
      *hlo::activation_from(l.attributes().text("activation")));
  const bool gated = weights == 2;
  const auto first = product_of(l, weights, 0),
             second = product_of(l, weights, weights - 1);
  return
      [=, run = l.kernels.linear, bound = l.bound, whole = l.operand(0).dim(0),
       x = l.operand_ref(0), scale = l.operand_ref(row_scale),
       y = l.result_ref()](run_frame &f, work_share share) {
        linear_args call = a;
        call.rows = f.rows(bound, whole);
        call.x = f.at(x);
        call.row_scale = floats(f, scale);
        call.w = f.at(first.weight);
        call.scale = floats(f, first.scale);
        call.bias = first.bias ? f.at(*first.bias) : nullptr;
        if (gated) {
          call.w_gated = f.at(second.weight);
          call.scale_gated = floats(f, second.scale);
          call.bias_gated = second.bias ? f.at(*second.bias) : nullptr;
        }
        call.out = f.at(y);
        run(call, share);
      };
}

} // namespace

kernel_body lower_row_scales(const lowering &l) {
  return lower_rows(l, l.kernels.row_scales, std::nullopt);
}
kernel_body lower_quantise_rows(const lowering &l) {
  return lower_rows(l, l.kernels.quantise_rows, l.operand_ref(1));
}
kernel_body lower_int8_linear(const lowering &l) { return lower_product(l, 1); }
kernel_body lower_gated_int8_linear(const lowering &l) {
  return lower_product(l, 2);
}

} // namespace ganglion::neuron

// Products of int8 rows with int4 weights, and the sums of rows over groups.
#include "hlo/composites/activation.hpp"
#include "neuron/compiler/lowering.hpp"

namespace ganglion::neuron {

namespace {

template <class T>
const T *in(const run_frame &f, buffer_ref ref) {
  return reinterpret_cast<const T *>(f.at(ref));
}

/// Operands: x, `weights` matrices, their scales, the groups' sums, the rows'
/// scale, biases.
kernel_body lower_grouped(const lowering &l, std::size_t weights) {
  const std::size_t sums = 1 + 2 * weights, bias = sums + 2;
  linear_args a{};
  a.type = a.weight_type = element_type::s8;
  a.bias_type = bias < l.operands() ? l.operand(bias).type : element_type::f32;
  a.out_type = l.result().type;
  a.n = l.operand(1).dim(0);
  a.k = l.operand(1).dim(1);
  a.group = l.attributes().integer("group");
  a.activation = static_cast<act>(
      *hlo::activation_from(l.attributes().text("activation")));
  const bool gated = weights == 2, biased = bias < l.operands();
  std::vector<buffer_ref> at;
  for (std::size_t i = 0; i < l.operands(); ++i)
    at.push_back(l.operand_ref(i));
  return
      [=, run = l.kernels.linear, bound = l.bound, whole = l.operand(0).dim(0),
       y = l.result_ref()](run_frame &f, work_share share) {
        linear_args call = a;
        call.rows = f.rows(bound, whole);
        call.x = f.at(at[0]);
        call.row_scale = in<float>(f, at[sums + 1]);
        call.group_sums = in<std::int32_t>(f, at[sums]);
        call.w = f.at(at[1]);
        call.group_scale = in<float16>(f, at[1 + weights]);
        call.bias = biased ? f.at(at[bias]) : nullptr;
        if (gated) {
          call.w_gated = f.at(at[2]);
          call.group_scale_gated = in<float16>(f, at[4]);
          call.bias_gated = biased ? f.at(at[bias + 1]) : nullptr;
        }
        call.out = f.at(y);
        run(call, share);
      };
}

} // namespace

kernel_body lower_group_sums(const lowering &l) {
  group_sum_args a{};
  a.width = l.operand(0).dim(1);
  a.group = l.attributes().integer("group");
  return [=, run = l.kernels.group_sums, bound = l.bound,
          whole = l.operand(0).dim(0), x = l.operand_ref(0),
          y = l.result_ref()](run_frame &f, work_share share) {
    group_sum_args call = a;
    call.rows = f.rows(bound, whole);
    call.x = in<std::int8_t>(f, x);
    call.out = reinterpret_cast<std::int32_t *>(f.at(y));
    run(call, share);
  };
}

kernel_body lower_int4_linear(const lowering &l) { return lower_grouped(l, 1); }
kernel_body lower_gated_int4_linear(const lowering &l) {
  return lower_grouped(l, 2);
}

} // namespace ganglion::neuron

#include "hlo/evaluator/operation.hpp"

#include "hlo/evaluator/groups.hpp"
#include "hlo/support/error.hpp"

namespace ganglion::hlo {

namespace {

[[noreturn]] void refuse(const instruction &i, const char *why) {
  throw error(error_code::unsupported, why, std::string(to_string(i.op)),
              i.name);
}

void check_array(const instruction &i, const literal_view &v) {
  if (v.form->tuple)
    refuse(i, "works on arrays only; a tuple was given");
}

void dispatch(const instruction &i, views in, literal_view out) {
  switch (i.op) {
  case opcode::convert:
    return evaluate_convert(in, out);
  case opcode::dynamic_slice:
    return evaluate_dynamic_slice(in, out);
  case opcode::dynamic_update_slice:
    return evaluate_dynamic_update_slice(in, out);
  case opcode::gather:
    return evaluate_gather(i, in, out);
  case opcode::scatter:
    return evaluate_scatter(i, in, out);
  case opcode::dot:
    return evaluate_dot(i, in, out);
  case opcode::reduce:
    return evaluate_reduce(i, in, {&out, 1});
  case opcode::rng:
    return evaluate_rng(i, in, out);
  case opcode::reduce_window:
    return evaluate_reduce_window(i, in, out);
  case opcode::sort:
    return evaluate_sort(i, in, {&out, 1});
  case opcode::parameter:
  case opcode::partition_id:
    refuse(i, "its value comes from whoever runs the module");
  default:
    break;
  }
  if (is_elementwise(i.op))
    return evaluate_elementwise(i, in, out);
  if (is_collective(i.op) || i.op >= opcode::call)
    refuse(i, "not an operation on one partition's arrays");
  evaluate_movement(i, in, out);
}

} // namespace

void evaluate_results(const instruction &i, views operands, views outs) {
  switch (i.op) {
  case opcode::sort:
    return evaluate_sort(i, operands, outs);
  case opcode::reduce:
    return evaluate_reduce(i, operands, outs);
  case opcode::batch_norm_training:
    return evaluate_batch_norm_training(i, operands, outs);
  default:
    if (i.form.tuple)
      refuse(i, "cannot give a tuple");
    return evaluate_operation(i, operands, outs[0]);
  }
}

void evaluate_operation(const instruction &i, views operands,
                        literal_view out) {
  for (const auto &v : operands)
    check_array(i, v);
  check_array(i, out);
  dispatch(i, operands, out);
}

} // namespace ganglion::hlo

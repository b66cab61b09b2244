#include "hlo/evaluator/evaluator.hpp"
#include "hlo/evaluator/operation.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>

namespace ganglion::neuron {

using hlo::literal_view;
using hlo::opcode;

namespace {

/// Views of an instruction's operands, filled in place for each run.
struct bound_views {
  std::vector<buffer_ref> refs;
  std::vector<literal_view> views;

  void bind(const run_frame &f) {
    for (std::size_t i = 0; i < refs.size(); ++i)
      views[i].data = f.at(refs[i]);
  }
};

bound_views operands_of(const lowering &l) {
  bound_views b;
  for (std::size_t i = 0; i < l.operands(); ++i) {
    b.refs.push_back(l.operand_ref(i));
    b.views.push_back({&l.operand(i), nullptr});
  }
  return b;
}

bound_views results_of(const lowering &l) {
  bound_views b;
  b.refs = l.result_refs();
  if (!l.result().tuple)
    b.views.push_back({&l.result(), nullptr});
  for (const auto &element : l.result().elements)
    b.views.push_back({&element, nullptr});
  return b;
}

using operation = std::function<void(std::span<const literal_view>,
                                     std::span<const literal_view>)>;

operation operation_of(const hlo::instruction &i) {
  if (i.op == opcode::sort)
    return [&i](auto in, auto out) { hlo::evaluate_sort(i, in, out); };
  if (i.op == opcode::reduce)
    return [&i](auto in, auto out) { hlo::evaluate_reduce(i, in, out); };
  return [&i](auto in, auto out) { hlo::evaluate_operation(i, in, out[0]); };
}

} // namespace

kernel_body lower_plain(const lowering &l) {
  if (l.instruction().op == opcode::partition_id)
    return [y = l.result_ref()](run_frame &f, work_share) {
      const auto rank = static_cast<std::uint32_t>(f.rank);
      std::memcpy(f.at(y), &rank, sizeof rank);
    };
  return [run = operation_of(l.instruction()), in = operands_of(l),
          out = results_of(l)](run_frame &f, work_share) mutable {
    in.bind(f);
    out.bind(f);
    run(in.views, out.views);
  };
}

kernel_body lower_collective(const lowering &l) {
  const auto &i = l.instruction();
  const bool gather = i.op == opcode::all_gather;
  const bool supported = l.operand(0).type == element_type::f32 &&
                         l.operand(0).rank() == 2 &&
                         (i.op == opcode::all_reduce ||
                          (gather && i.attrs.dimensions == hlo::dims{1}));
  if (!supported)
    throw error(error_code::unsupported,
                "the host device reduces f32 [rows, n] and gathers it along "
                "dimension 1; this is " +
                    std::string(to_string(i.op)) + " of " +
                    hlo::to_string(l.operand(0)),
                i.name);
  const auto x = l.operand_ref(0), y = l.result_ref();
  const auto width = l.operand(0).dim(1), out_width = l.result().dim(1);
  return [=, bound = l.bound, whole = l.operand(0).dim(0)](run_frame &f,
                                                           work_share) {
    const auto rows = f.rows(bound, whole);
    const std::span in(reinterpret_cast<const float *>(f.at(x)),
                       static_cast<std::size_t>(rows * width));
    const std::span out(reinterpret_cast<float *>(f.at(y)),
                        static_cast<std::size_t>(rows * out_width));
    const auto sequence = f.sequence++;
    if (!f.group) // a group of one
      std::memcpy(out.data(), in.data(), in.size_bytes());
    else if (gather)
      f.status = f.group->all_gather(f.rank, sequence, rows, in, out);
    else
      f.status = f.group->all_reduce(f.rank, sequence, in, out);
  };
}

} // namespace ganglion::neuron

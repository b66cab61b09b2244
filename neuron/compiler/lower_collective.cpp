#include "hlo/support/error.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>
#include <numeric>

namespace ganglion::neuron {

using hlo::instruction;
using hlo::opcode;

namespace {

/// One group of ranks 0, 1, 2, ..., or none, which means the same. That there
/// are as many as partitions was verified with the module.
bool includes_everybody(const instruction &i) {
  const auto &groups = i.attrs.replica_groups;
  if (groups.empty())
    return true;
  hlo::dims all(groups[0].size());
  std::iota(all.begin(), all.end(), 0);
  return groups.size() == 1 && groups[0] == all;
}

bool adds(const hlo::computation &c) {
  const instruction *root = c.root();
  return root->op == opcode::add && root->operand(0)->op == opcode::parameter &&
         root->operand(1)->op == opcode::parameter &&
         root->operand(0) != root->operand(1);
}

} // namespace

kernel_body lower_collective(const lowering &l) {
  const auto &i = l.instruction();
  const bool gather = i.op == opcode::all_gather;
  const bool supported =
      l.operand(0).type == element_type::f32 && l.operand(0).rank() == 2 &&
      includes_everybody(i) &&
      ((i.op == opcode::all_reduce && adds(*i.attrs.called.at(0))) ||
       (gather && i.attrs.dimensions == hlo::dims{1}));
  if (!supported)
    throw error(error_code::unsupported,
                "the host device sums f32 [rows, n] and gathers it along "
                "dimension 1, over all ranks in order; this is " +
                    hlo::print(i),
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

#include "hlo/support/error.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>
#include <numeric>
#include <vector>

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

bool adds(const instruction &i) {
  if (i.attrs.called.empty())
    return true; // gathers and exchanges combine nothing
  const instruction *root = i.attrs.called[0]->root();
  return root->op == opcode::add && root->operand(0)->op == opcode::parameter &&
         root->operand(1)->op == opcode::parameter &&
         root->operand(0) != root->operand(1);
}

void check(const lowering &l) {
  const auto &i = l.instruction();
  const bool along = i.op == opcode::all_reduce
                         ? includes_everybody(i)
                         : i.attrs.dimensions.size() == 1;
  if (l.operand(0).type != element_type::f32 || l.operand(0).rank() != 2 ||
      !along || !adds(i))
    throw error(error_code::unsupported,
                "the host device sums f32 [rows, n] over all ranks, and "
                "gathers, exchanges and scatters sums of it along one "
                "dimension; this is " +
                    hlo::print(i),
                i.name);
}

collective_kind kind_of(opcode op) {
  return op == opcode::all_gather   ? collective_kind::all_gather
         : op == opcode::all_to_all ? collective_kind::all_to_all
                                    : collective_kind::reduce_scatter;
}

/// The group of every rank, and its place there.
class group_table {
public:
  group_table(const instruction &i, std::int64_t partitions) {
    auto groups = i.attrs.replica_groups;
    if (groups.empty()) {
      groups.emplace_back(static_cast<std::size_t>(partitions));
      std::iota(groups[0].begin(), groups[0].end(), 0);
    }
    for (const auto &members : groups) {
      const std::size_t first = members_.size();
      for (const auto rank : members) {
        if (static_cast<std::size_t>(rank) >= places_.size())
          places_.resize(static_cast<std::size_t>(rank) + 1);
        places_[static_cast<std::size_t>(rank)] = {
            first, members.size(),
            static_cast<std::int64_t>(members_.size() - first)};
        members_.push_back(static_cast<int>(rank));
      }
    }
  }

  /// What `rank` takes of parts `width` columns wide.
  column_pick pick(int rank, collective_kind kind, std::int64_t width) const {
    const place &p = places_[static_cast<std::size_t>(rank)];
    column_pick out{std::span(members_).subspan(p.first, p.size)};
    const bool whole = kind == collective_kind::all_gather;
    out.count = whole ? width : width / static_cast<std::int64_t>(p.size);
    out.first = whole ? 0 : p.index * out.count;
    out.summed = kind == collective_kind::reduce_scatter;
    return out;
  }

private:
  struct place {
    std::size_t first = 0, size = 0; ///< in members_
    std::int64_t index = 0;          ///< among them
  };
  std::vector<int> members_;
  std::vector<place> places_; ///< by rank
};

} // namespace

bool moves_rows(const hlo::instruction &i) {
  return is_collective(i.op) && i.attrs.dimensions == hlo::dims{0};
}

kernel_body lower_collective(const lowering &l) {
  check(l);
  const auto &i = l.instruction();
  const bool reduce = i.op == opcode::all_reduce;
  const group_table groups(i, l.partitions);
  const auto x = l.operand_ref(0), y = l.result_ref();
  // Parts of rows are parts of the one row that all of them make.
  const bool by_rows = moves_rows(i);
  const auto width = by_rows ? l.operand(0).size() : l.operand(0).dim(1);
  const auto out_width = by_rows ? l.result().size() : l.result().dim(1);
  return [=, kind = kind_of(i.op), bound = l.bound,
          whole = l.operand(0).dim(0)](run_frame &f, work_share) {
    const auto rows = by_rows ? 1 : f.rows(bound, whole);
    const std::span in(reinterpret_cast<const float *>(f.at(x)),
                       static_cast<std::size_t>(rows * width));
    const std::span out(reinterpret_cast<float *>(f.at(y)),
                        static_cast<std::size_t>(rows * out_width));
    const auto sequence = f.sequence++;
    if (!f.group) // a group of one
      std::memcpy(out.data(), in.data(), in.size_bytes());
    else if (reduce)
      f.status = f.group->all_reduce(f.rank, sequence, in, out);
    else
      f.status = f.group->take_columns(f.rank, sequence, kind, rows, in,
                                       groups.pick(f.rank, kind, width), out);
  };
}

} // namespace ganglion::neuron

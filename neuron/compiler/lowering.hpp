// What a lowering sees of an instruction, and the table from composite names
// to lowerings.
#pragma once

#include "hlo/composite.hpp"
#include "neuron/compiler/memory_plan.hpp"
#include "neuron/compiler/sharing.hpp"

namespace ganglion::neuron {

using kernel_body = std::function<void(run_frame &, work_share)>;

/// One instruction with its memory.
class lowering {
public:
  lowering(const hlo::instruction &i, const memory_plan &plan,
           const kernel_set &set, row_bound rows, std::int64_t ranks)
      : kernels(set),
        bound(rows),
        partitions(ranks),
        instruction_(i),
        plan_(plan) {}

  const kernel_set &kernels;
  /// Bounds the rows of operand 0.
  row_bound bound;
  std::int64_t partitions; ///< of the module

  const hlo::instruction &instruction() const { return instruction_; }
  std::size_t operands() const { return instruction_.operands.size(); }
  const hlo::shape &operand(std::size_t i) const {
    return instruction_.operands[i]->form;
  }
  buffer_ref operand_ref(std::size_t i) const {
    return plan_.at(instruction_.operands[i]);
  }
  /// One place per array of a tuple.
  const std::vector<buffer_ref> &operand_refs(std::size_t i) const {
    return plan_.all(instruction_.operands[i]);
  }
  const hlo::shape &result() const { return instruction_.form; }
  buffer_ref result_ref() const { return plan_.at(&instruction_); }
  const std::vector<buffer_ref> &result_refs() const {
    return plan_.all(&instruction_);
  }
  /// Memory of the kernel's own, if its row in the table asks for some.
  buffer_ref scratch_ref() const { return plan_.scratch(&instruction_); }
  hlo::composite_attributes attributes() const {
    return hlo::composite_attributes_of(instruction_);
  }

private:
  const hlo::instruction &instruction_;
  const memory_plan &plan_;
};

/// One of the calls that a composite takes when its work is done in steps, each
/// of which needs all of the one before.
struct kernel_phase {
  std::string name; ///< what it does, e.g. "dispatch"
  kernel_body run;
};

/// A composite that the device has a kernel for.
struct composite_kernel {
  std::string name; ///< with the "ganglion." prefix
  /// Operands that must be parameters packed in panels.
  std::vector<std::size_t> panel_operands;
  /// Whether the kernel takes these shapes, types and attributes.
  bool (*fits)(const hlo::instruction &call);
  kernel_body (*lower)(const lowering &); ///< null where there are phases
  std::vector<kernel_phase> (*phases)(const lowering &) = nullptr;
  /// Bytes of memory that the kernel wants beside its result, or null.
  std::size_t (*scratch_bytes)(const hlo::instruction &call) = nullptr;
  /// Every operand from this one on is packed in panels too; a vector of f32
  /// is the same in panels.
  std::size_t panels_from = static_cast<std::size_t>(-1);
  packing panel_packing = packing::panels; ///< which panels

  bool takes_panels(std::size_t operand) const;
};

/// All of them.
const std::vector<composite_kernel> &composite_kernels();
const composite_kernel *find_composite_kernel(const std::string &name);

/// How the kernel of a composite shares its operands and result.
sharing sharing_of(const lowering &l);
/// Whether `i` is a composite whose kernel goes row by row, so that every
/// member may do all of it for itself: its result lies in local memory.
bool is_repeatable(const hlo::instruction &i);

/// What each kernel takes; the rest runs the composite's body.
bool fits_attention(const hlo::instruction &call);
bool fits_attention_merge(const hlo::instruction &call);
bool fits_cache_write(const hlo::instruction &call);
bool fits_dynamic_rotary_table(const hlo::instruction &call);
bool fits_embedding(const hlo::instruction &call);
bool fits_expert_mlp(const hlo::instruction &call);
bool fits_gated_int4_linear(const hlo::instruction &call);
bool fits_gated_int8_linear(const hlo::instruction &call);
bool fits_group_sums(const hlo::instruction &call);
bool fits_head_norm(const hlo::instruction &call);
bool fits_heads(const hlo::instruction &call);
bool fits_int4_linear(const hlo::instruction &call);
bool fits_int8_linear(const hlo::instruction &call);
bool fits_norm(const hlo::instruction &call);
bool fits_product(const hlo::instruction &call);
bool fits_quantise_rows(const hlo::instruction &call);
bool fits_residual_add(const hlo::instruction &call);
bool fits_scale_write(const hlo::instruction &call);
bool fits_round_rows(const hlo::instruction &call);
bool fits_rotary_table(const hlo::instruction &call);
bool fits_row_scales(const hlo::instruction &call);
bool fits_route(const hlo::instruction &call);
bool fits_take_columns(const hlo::instruction &call);

kernel_body lower_take_columns(const lowering &l);

/// Int8 products, in lower_int8.cpp.
kernel_body lower_row_scales(const lowering &l);
kernel_body lower_quantise_rows(const lowering &l);
kernel_body lower_int8_linear(const lowering &l);
kernel_body lower_gated_int8_linear(const lowering &l);

/// Int4 products, in lower_int4.cpp.
kernel_body lower_group_sums(const lowering &l);
kernel_body lower_int4_linear(const lowering &l);
kernel_body lower_gated_int4_linear(const lowering &l);

/// Mixture of experts, in lower_experts.cpp.
kernel_body lower_route(const lowering &l);
std::vector<kernel_phase> expert_phases(const lowering &l);
std::size_t expert_scratch_bytes(const hlo::instruction &call);

/// Whether a collective moves rows between ranks, so that live rows no longer
/// come first.
bool moves_rows(const hlo::instruction &i);

/// Collectives, `while` and `conditional`, and every other plain operation.
kernel_body lower_collective(const lowering &l);
kernel_body lower_control_flow(const lowering &l);
kernel_body lower_plain(const lowering &l);

} // namespace ganglion::neuron

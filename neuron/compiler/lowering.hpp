// What a lowering sees of an instruction, and the table from composite names
// to lowerings.
#pragma once

#include "hlo/composite.hpp"
#include "neuron/compiler/memory_plan.hpp"

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
  hlo::composite_attributes attributes() const {
    return hlo::composite_attributes_of(instruction_);
  }

private:
  const hlo::instruction &instruction_;
  const memory_plan &plan_;
};

/// A composite that the device has a kernel for.
struct composite_kernel {
  std::string name; ///< with the "ganglion." prefix
  /// Operands that must be parameters packed in panels.
  std::vector<std::size_t> panel_operands;
  /// Whether the kernel takes these shapes, types and attributes.
  bool (*fits)(const hlo::instruction &call);
  kernel_body (*lower)(const lowering &);
};

/// All of them.
const std::vector<composite_kernel> &composite_kernels();
const composite_kernel *find_composite_kernel(const std::string &name);

/// What each kernel takes; the rest runs the composite's body.
bool fits_attention(const hlo::instruction &call);
bool fits_attention_merge(const hlo::instruction &call);
bool fits_cache_write(const hlo::instruction &call);
bool fits_dynamic_rotary_table(const hlo::instruction &call);
bool fits_embedding(const hlo::instruction &call);
bool fits_head_norm(const hlo::instruction &call);
bool fits_heads(const hlo::instruction &call);
bool fits_norm(const hlo::instruction &call);
bool fits_product(const hlo::instruction &call);
bool fits_residual_add(const hlo::instruction &call);
bool fits_round_rows(const hlo::instruction &call);
bool fits_rotary_table(const hlo::instruction &call);

/// Collectives, `while` and `conditional`, and every other plain operation.
kernel_body lower_collective(const lowering &l);
kernel_body lower_control_flow(const lowering &l);
kernel_body lower_plain(const lowering &l);

} // namespace ganglion::neuron

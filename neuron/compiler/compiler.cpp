#include "neuron/compiler/compiler.hpp"

#include "hlo/passes/inline_calls.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>
#include <map>

namespace ganglion::neuron {

using hlo::instruction;
using hlo::opcode;

namespace {

/// Takes a module apart into one program.
class host_compiler {
public:
  host_compiler(std::shared_ptr<hlo::module> m, const compile_options &options)
      : module_(std::move(m)),
        options_(options),
        kernels_(kernels_for(options.set)),
        plan_(*module_->entry()) {}

  std::shared_ptr<const program> run() {
    auto out = std::make_shared<program>();
    out->set = options_.set;
    for (const instruction *p : module_->entry()->parameters())
      out->parameters.push_back({p->name, p->form, packing::row_major});
    for (const auto &i : module_->entry()->instructions()) {
      bounds_[i.get()] = bound_of(*i);
      emit(*i, *out);
    }
    emit_outputs(*out);
    out->arena_bytes = plan_.arena_bytes();
    out->constants = plan_.take_constants();
    return out;
  }

private:
  /// Rows of a value: its parameter says, others take after operand 0.
  row_bound bound_of(const instruction &i) const {
    const auto named = i.attrs.frontend.find("rows");
    if (named != i.attrs.frontend.end())
      return named->second == "tokens" ? row_bound::tokens : row_bound::logits;
    const bool follows =
        (i.op == opcode::call && i.attrs.is_composite) || is_collective(i.op);
    return follows ? bounds_.at(i.operand(0)) : row_bound::all;
  }

  void emit(const instruction &i, program &out) {
    switch (i.op) {
    case opcode::parameter:
    case opcode::constant:
    case opcode::tuple:
    case opcode::get_tuple_element:
    case opcode::reshape:
    case opcode::copy:
    case opcode::bitcast_convert:
      return;
    case opcode::while_:
    case opcode::conditional:
      throw error(error_code::unsupported,
                  "the host device does not run control flow", i.name);
    default:
      break;
    }
    const bool composite = i.op == opcode::call;
    const row_bound bound =
        i.operands.empty() ? row_bound::all : bounds_.at(i.operand(0));
    const lowering l(i, plan_, kernels_, bound);
    kernel_call call;
    call.name = i.name;
    call.shape = hlo::to_string(i.form, false);
    call.single = !composite;
    call.collective = is_collective(i.op);
    if (composite) {
      const auto *k = find_composite_kernel(hlo::composite_name(i));
      for (const std::size_t o : k->panel_operands)
        out.parameters[i.operand(o)->attrs.parameter_number].how =
            packing::panels;
      call.run = k->lower(l);
      call.kernel = k->name.substr(9) + " " +
                    std::string(to_string(i.operand(0)->form.type)) + " " +
                    std::string(to_string(options_.set));
    } else {
      call.run = call.collective ? lower_collective(l) : lower_plain(l);
      call.kernel = std::string(to_string(i.op)) +
                    (call.collective ? " communicator" : " reference");
    }
    // Plain operations keep pointers into the module.
    call.run = [body = std::move(call.run), keep = module_](
                   run_frame &f, work_share share) { body(f, share); };
    out.calls.push_back(std::move(call));
  }

  /// A must-alias output that was computed elsewhere is copied home.
  void emit_outputs(program &out) {
    const instruction *root = module_->entry()->root();
    out.outputs = plan_.all(root);
    out.output_shapes =
        root->form.tuple ? root->form.elements : std::vector{root->form};
    for (const auto &a : module_->aliases) {
      const buffer_ref home{buffer_ref::place::parameter,
                            static_cast<std::size_t>(a.parameter_number)};
      buffer_ref &at = out.outputs[a.output_index];
      if (at == home)
        continue;
      const auto bytes = out.output_shapes[a.output_index].bytes();
      out.calls.push_back({"output." + std::to_string(a.output_index),
                           "copy home",
                           {},
                           [from = at, home, bytes](run_frame &f, work_share) {
                             std::memcpy(f.at(home), f.at(from), bytes);
                           },
                           true,
                           false});
      at = home;
    }
  }

  std::shared_ptr<hlo::module> module_;
  const compile_options &options_;
  const kernel_set &kernels_;
  memory_plan plan_;
  std::map<const instruction *, row_bound> bounds_;
};

/// Whether the device has a kernel for this call as it stands.
bool has_kernel(const instruction &call) {
  const auto *k = find_composite_kernel(hlo::composite_name(call));
  if (!k)
    return false;
  for (const std::size_t o : k->panel_operands)
    if (call.operand(o)->op != opcode::parameter)
      return false;
  return true;
}

} // namespace

std::shared_ptr<const program> compile(const hlo::module &source,
                                       const compile_options &options) {
  std::shared_ptr<hlo::module> m = hlo::clone(source);
  hlo::inline_calls(*m, [](const instruction &call) {
    return !call.attrs.is_composite || !has_kernel(call);
  });
  return host_compiler(std::move(m), options).run();
}

} // namespace ganglion::neuron

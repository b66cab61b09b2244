#include "neuron/compiler/compiler.hpp"

#include "hlo/composites/views.hpp"
#include "hlo/passes/dead_code_elimination.hpp"
#include "hlo/passes/inline_calls.hpp"
#include "hlo/passes/pass_pipeline.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/lowering.hpp"
#include "neuron/compiler/order.hpp"
#include "neuron/compiler/schedule.hpp"
#include "neuron/compiler/views.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

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
        plan_(*module_) {}

  std::shared_ptr<const program> run() {
    auto out = std::make_shared<program>();
    out->set = options_.set;
    for (const instruction *p : module_->entry()->parameters())
      out->parameters.push_back({p->name, p->form});
    for (const auto &i : module_->entry()->instructions()) {
      bounds_[i.get()] = bound_of(*i);
      emit(*i, *out);
    }
    emit_outputs(*out);
    plan_meetings(scheduled_, out->calls);
    out->arena_bytes = plan_.arena_bytes();
    out->local_bytes = plan_.local_bytes();
    if (widest_row_ > 0)
      out->repeated_rows =
          (options_.repeated_elements + widest_row_ - 1) / widest_row_;
    out->constants = plan_.take_constants();
    return out;
  }

private:
  /// Rows of a value: its parameter says, others take after operand 0.
  row_bound bound_of(const instruction &i) const {
    const auto named = i.attrs.frontend.find("rows");
    if (named != i.attrs.frontend.end())
      return named->second == "tokens" ? row_bound::tokens : row_bound::logits;
    const bool follows = (i.op == opcode::call && i.attrs.is_composite) ||
                         (is_collective(i.op) && !moves_rows(i));
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
    default:
      break;
    }
    if (is_view(i))
      return keep_in_order(i, out);
    const bool composite = i.op == opcode::call;
    const row_bound bound =
        i.operands.empty() ? row_bound::all : bounds_.at(i.operand(0));
    const lowering l(i, plan_, kernels_, bound, module_->num_partitions);
    kernel_call call;
    call.name = i.name;
    call.shape = hlo::to_string(i.form, false);
    if (composite) {
      emit_composite(l, call, out);
      return;
    }
    call.single = true;
    call.collective = is_collective(i.op);
    const bool control = i.op == opcode::while_ || i.op == opcode::conditional;
    call.run = call.collective ? lower_collective(l)
               : control       ? lower_control_flow(l)
                               : lower_plain(l);
    call.kernel = std::string(to_string(i.op)) +
                  (call.collective ? " communicator" : " reference");
    schedule(l, call);
    // Plain operations keep pointers into the module.
    call.run = [body = std::move(call.run), keep = module_](
                   run_frame &f, work_share share) { body(f, share); };
    out.calls.push_back(std::move(call));
  }

  /// The cache behind a view lies as the view says.
  static void keep_in_order(const instruction &view, program &out) {
    const instruction *from = view.operand(0);
    if (!is_relaid(view) || from->op != opcode::parameter)
      return;
    auto &cache =
        out.parameters[static_cast<std::size_t>(from->attrs.parameter_number)];
    cache.form = view.form;
    cache.order = hlo::order_of(view);
  }

  /// One call, or one for each phase; `call` has its name and shape.
  void emit_composite(const lowering &l, kernel_call call, program &out) {
    const instruction &i = l.instruction();
    const auto *k = find_composite_kernel(hlo::composite_name(i));
    for (std::size_t o = 0; o < i.operands.size(); ++o)
      if (k->takes_panels(o)) {
        auto &weight =
            out.parameters[weight_behind(i.operand(o))->attrs.parameter_number];
        weight.how = k->panel_packing;
        weight.form = i.operand(o)->form;
      }
    const std::string name = k->name.substr(9);
    const std::string form = " " +
                             std::string(to_string(i.operand(0)->form.type)) +
                             " " + std::string(to_string(options_.set));
    std::vector<kernel_phase> phases;
    if (k->phases)
      phases = k->phases(l);
    else
      phases.push_back({"", k->lower(l)});
    for (kernel_phase &phase : phases) {
      schedule(l, call);
      if (k->scratch_bytes)
        scheduled_.back().uses.push_back(
            {l.scratch_ref(), k->scratch_bytes(i), true, {}});
      call.kernel = name + (phase.name.empty() ? "" : "." + phase.name) + form;
      call.run = std::move(phase.run);
      out.calls.push_back(call);
    }
  }

  /// Notes what the call touches. A repeatable one counts as such when its
  /// result is local, and its rows are those of the step.
  void schedule(const lowering &l, kernel_call &call) {
    scheduled_call s;
    sharing how;
    if (call.single)
      how.result.how = share_map::kind::first;
    else
      how = sharing_of(l);
    for (std::size_t o = 0; o < l.operands(); ++o) {
      const share_map by = call.single               ? how.result
                           : o < how.operands.size() ? how.operands[o]
                                                     : share_map{};
      add_uses(l.operand(o), l.operand_refs(o), false, by, s);
    }
    add_uses(l.result(), l.result_refs(), true, how.result, s);
    s.repeatable = call.repeatable = is_repeatable(l.instruction());
    if (s.repeatable)
      widest_row_ = std::max(widest_row_,
                             l.result().size() /
                                 std::max<std::int64_t>(l.result().dim(0), 1));
    scheduled_.push_back(std::move(s));
  }

  static void add_uses(const hlo::shape &form,
                       const std::vector<buffer_ref> &refs, bool writes,
                       const share_map &by, scheduled_call &to) {
    const auto leaves = leaves_of(form);
    for (std::size_t i = 0; i < refs.size(); ++i)
      if (refs[i].where != buffer_ref::place::constant)
        to.uses.push_back({refs[i], leaves[i].bytes(), writes, by});
  }

  /// An aliased output that was computed elsewhere is copied home, at the end,
  /// when nobody needs the home's old contents any more.
  void emit_outputs(program &out) {
    const instruction *root = module_->entry()->root();
    out.outputs = plan_.all(root);
    out.output_shapes = leaves_of(root->form);
    const std::vector<buffer_ref> computed = out.outputs;
    for (std::size_t k = 0; k < computed.size(); ++k)
      if (loses_its_place(computed, k)) {
        out.outputs[k] = plan_.extra(out.output_shapes[k].bytes());
        emit_copy(k, computed[k], out.outputs[k], out);
      }
    for (const auto &a : module_->aliases) {
      const auto k = static_cast<std::size_t>(a.output_index);
      const buffer_ref home = home_of(a);
      if (out.outputs[k] != home)
        emit_copy(k, out.outputs[k], home, out);
      out.outputs[k] = home;
    }
  }

  static buffer_ref home_of(const hlo::alias &a) {
    return {buffer_ref::place::parameter,
            static_cast<std::size_t>(a.parameter_number)};
  }

  /// Whether another output is about to be copied over output `k`.
  bool loses_its_place(const std::vector<buffer_ref> &computed,
                       std::size_t k) const {
    return std::any_of(
        module_->aliases.begin(), module_->aliases.end(),
        [&](const hlo::alias &a) {
          const auto other = static_cast<std::size_t>(a.output_index);
          return home_of(a) == computed[k] && computed[other] != computed[k];
        });
  }

  void emit_copy(std::size_t output, buffer_ref from, buffer_ref to,
                 program &out) {
    kernel_call call;
    call.name = "output." + std::to_string(output);
    call.kernel = "copy";
    call.shape = hlo::to_string(out.output_shapes[output], false);
    call.single = true;
    call.run = [from, to, bytes = out.output_shapes[output].bytes()](
                   run_frame &f, work_share) {
      std::memcpy(f.at(to), f.at(from), bytes);
    };
    const share_map first{share_map::kind::first};
    scheduled_call s;
    add_uses(out.output_shapes[output], {from}, false, first, s);
    add_uses(out.output_shapes[output], {to}, true, first, s);
    scheduled_.push_back(std::move(s));
    out.calls.push_back(std::move(call));
  }

  std::shared_ptr<hlo::module> module_;
  const compile_options &options_;
  const kernel_set &kernels_;
  memory_plan plan_;
  std::map<const instruction *, row_bound> bounds_;
  std::vector<scheduled_call> scheduled_; ///< one for each call
  std::int64_t widest_row_ = 0;           ///< elements, of what is repeatable
};

/// Whether the device has a kernel for this call as it stands.
bool has_kernel(const instruction &call) {
  if (is_view(call))
    return is_relaid(call) || weight_behind(&call);
  const auto *k = find_composite_kernel(hlo::composite_name(call));
  if (!k || !k->fits(call))
    return false;
  for (std::size_t o = 0; o < call.operands.size(); ++o)
    if (k->takes_panels(o) && !weight_behind(call.operand(o)))
      return false;
  return true;
}

bool in_panels(const instruction &user, std::size_t operand) {
  if (user.op != opcode::call || !user.attrs.is_composite || is_view(user) ||
      !has_kernel(user))
    return false;
  return find_composite_kernel(hlo::composite_name(user))
      ->takes_panels(operand);
}

/// Parameters that something reads or returns as their shape says, and which
/// thus cannot be packed in panels.
std::set<std::int64_t> plain_parameters(const hlo::module &m) {
  std::set<std::int64_t> out;
  std::map<std::int64_t, hlo::shape> matrices;
  const auto number = [](const instruction *p) {
    return p->attrs.parameter_number;
  };
  for (const auto &i : m.entry()->instructions()) {
    if (is_untiled(*i) && weight_behind(i.get())) {
      const auto n = number(weight_behind(i.get()));
      if (matrices.try_emplace(n, i->form).first->second != i->form)
        out.insert(n); // tiles of two matrices
      continue;
    }
    for (std::size_t o = 0; o < i->operands.size(); ++o)
      if (const auto *p = weight_behind(i->operand(o)); p && !in_panels(*i, o))
        out.insert(number(p));
  }
  if (const auto *p = weight_behind(m.entry()->root()))
    out.insert(number(p));
  for (const auto &a : m.aliases)
    out.insert(a.parameter_number);
  return out;
}

/// Whether `call` takes a weight in panels, or apart from its tiles, that is
/// in `plain`.
bool takes_plain(const instruction &call, const std::set<std::int64_t> &plain) {
  const auto is_plain = [&](const instruction *weight) {
    return weight && plain.contains(weight->attrs.parameter_number);
  };
  if (is_view(call))
    return is_untiled(call) && is_plain(weight_behind(&call));
  for (std::size_t o = 0; o < call.operands.size(); ++o)
    if (in_panels(call, o) && is_plain(weight_behind(call.operand(o))))
      return true;
  return false;
}

/// A weight that is used in another way too keeps its shape, and products with
/// it run their bodies, as do those that lose its tiles.
void inline_products_of_plain_weights(hlo::module &m) {
  for (bool changed = true; changed;) {
    const auto plain = plain_parameters(m);
    changed = hlo::inline_calls(m, [&](const instruction &call) {
      return !has_kernel(call) || takes_plain(call, plain);
    });
  }
}

/// A module from a file may never have seen the passes.
void check_lowerable(const hlo::module &m) {
  const auto plain = plain_parameters(m);
  const free_views free(m);
  for (const auto &i : m.entry()->instructions()) {
    if (i->op != opcode::call)
      continue;
    if (!i->attrs.is_composite || !has_kernel(*i) ||
        (is_relaid(*i) && !free.contains(*i)))
      throw error(error_code::unsupported,
                  "the device has no kernel for this call", i->name);
    if (takes_plain(*i, plain))
      throw error(error_code::unsupported,
                  "a weight is used in panels and in another way too", i->name);
  }
}

} // namespace

std::string to_string(const compile_options &options) {
  // A new option breaks this: add it below.
  const auto &[set, repeated_elements, level] = options;
  return "isa=" + std::string(to_string(set)) +
         " repeated_elements=" + std::to_string(repeated_elements) +
         " neuron_optimize_level=" + std::to_string(static_cast<int>(level));
}

std::unique_ptr<hlo::module> optimise(const hlo::module &source,
                                      const compile_options &options) {
  auto m = hlo::clone(source);
  hlo::inline_calls(*m, [](const instruction &call) {
    return !call.attrs.is_composite || !has_kernel(call);
  });
  hlo::dead_code_elimination(*m);
  inline_other_views(*m);
  inline_products_of_plain_weights(*m);
  if (options.level >= optimize_level::simplified)
    hlo::simplification_pipeline().run(*m);
  if (options.level >= optimize_level::ordered)
    choose_order(*m, options);
  return m;
}

std::shared_ptr<const program> lower(std::shared_ptr<hlo::module> optimised,
                                     const compile_options &options) {
  check_lowerable(*optimised);
  return host_compiler(std::move(optimised), options).run();
}

std::shared_ptr<const program> compile(const hlo::module &source,
                                       const compile_options &options) {
  return lower(optimise(source, options), options);
}

} // namespace ganglion::neuron

#include "hlo/evaluator/operation.hpp"
#include "neuron/compiler/lowering.hpp"

#include <cstring>

namespace ganglion::neuron {

using hlo::literal_view;
using hlo::opcode;

namespace {

/// Places and shapes of an instruction's operands or results.
struct view_plan {
  std::vector<buffer_ref> refs;
  std::vector<const hlo::shape *> forms;
};

/// The views of one run. Ranks share a program, so they are made anew each
/// time, on the stack unless there are many.
class bound_views {
public:
  bound_views(const view_plan &plan, const run_frame &f) {
    literal_view *to = few_;
    if (plan.refs.size() > std::size(few_)) {
      many_.resize(plan.refs.size());
      to = many_.data();
    }
    for (std::size_t i = 0; i < plan.refs.size(); ++i)
      to[i] = {plan.forms[i], f.at(plan.refs[i])};
    views_ = {to, plan.refs.size()};
  }
  bound_views(const bound_views &) = delete;
  bound_views &operator=(const bound_views &) = delete;

  std::span<const literal_view> get() const { return views_; }

private:
  literal_view few_[8];
  std::vector<literal_view> many_;
  std::span<const literal_view> views_;
};

view_plan operands_of(const lowering &l) {
  view_plan p;
  for (std::size_t i = 0; i < l.operands(); ++i) {
    p.refs.push_back(l.operand_ref(i));
    p.forms.push_back(&l.operand(i));
  }
  return p;
}

view_plan results_of(const lowering &l) {
  view_plan p;
  p.refs = l.result_refs();
  if (!l.result().tuple)
    p.forms.push_back(&l.result());
  for (const auto &element : l.result().elements)
    p.forms.push_back(&element);
  return p;
}

} // namespace

kernel_body lower_plain(const lowering &l) {
  if (l.instruction().op == opcode::partition_id)
    return [y = l.result_ref()](run_frame &f, work_share) {
      const auto rank = static_cast<std::uint32_t>(f.rank);
      std::memcpy(f.at(y), &rank, sizeof rank);
    };
  return [&i = l.instruction(), from = operands_of(l),
          to = results_of(l)](run_frame &f, work_share) {
    const bound_views in(from, f), out(to, f);
    hlo::evaluate_results(i, in.get(), out.get());
  };
}

} // namespace ganglion::neuron

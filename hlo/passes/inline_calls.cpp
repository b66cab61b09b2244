#include "hlo/passes/inline_calls.hpp"

#include "hlo/passes/rewriter.hpp"

namespace ganglion::hlo {

namespace {

using predicate = std::function<bool(const instruction &)>;

class inliner {
public:
  inliner(module &owner, computation &target, const predicate &wanted)
      : owner_(owner),
        rewriter_(target),
        wanted_(wanted) {}

  bool run() {
    return rewriter_.run([&](instruction &i) {
      return i.op == opcode::call && wanted_(i) ? expand(i) : &i;
    });
  }

private:
  /// Copies the body of `call` before it and returns the copy of its root.
  instruction *expand(const instruction &call) {
    const computation &body = *call.attrs.called[0];
    std::unordered_map<const instruction *, instruction *> values;
    for (const auto &i : body.instructions())
      values[i.get()] = i->op == opcode::parameter
                            ? call.operand(i->attrs.parameter_number)
                            : copy(*i, values);
    return values.at(body.root());
  }

  template <class Map>
  instruction *copy(const instruction &i, const Map &values) {
    std::vector<instruction *> operands;
    for (const instruction *operand : i.operands)
      operands.push_back(values.at(operand));
    instruction moved(i.op, i.form, std::move(operands), i.attrs);
    moved.name = i.name;
    if (i.op == opcode::call && wanted_(moved))
      return expand(moved);
    if (is_collective(i.op))
      moved.attrs.channel_id = owner_.next_channel_id();
    return rewriter_.emit(i.op, std::move(moved.form),
                          std::move(moved.operands), std::move(moved.attrs),
                          i.name);
  }

  module &owner_;
  rewriter rewriter_;
  const predicate &wanted_;
};

} // namespace

bool inline_calls(module &m, const predicate &wanted) {
  bool changed = inliner(m, *m.entry(), wanted).run();
  // Bodies that only inlined calls used need no work.
  m.remove_unused_computations();
  for (const auto &c : m.computations())
    if (c.get() != m.entry())
      changed |= inliner(m, *c, wanted).run();
  m.remove_unused_computations();
  return changed;
}

bool inline_plain_calls(module &m) {
  return inline_calls(
      m, [](const instruction &call) { return !call.attrs.is_composite; });
}

} // namespace ganglion::hlo

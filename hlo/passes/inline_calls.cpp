#include "hlo/passes/inline_calls.hpp"

#include <unordered_map>

namespace ganglion::hlo {

namespace {

using value_map = std::unordered_map<const instruction *, instruction *>;

class inliner {
public:
  inliner(computation &target,
          const std::function<bool(const instruction &)> &wanted)
      : target_(target),
        wanted_(wanted) {}

  /// Copies `from` into the target and returns its root's copy.
  instruction *copy(const std::vector<std::unique_ptr<instruction>> &from,
                    const instruction *root, value_map &values,
                    bool outermost) {
    for (const auto &i : from) {
      if (i->op == opcode::parameter && !outermost)
        continue; // bound to the caller's operand already
      values[i.get()] = copy_one(*i, values, outermost);
    }
    return values.at(root);
  }

private:
  instruction *copy_one(const instruction &i, const value_map &values,
                        bool outermost) {
    if (i.op == opcode::call && wanted_(i))
      return expand(i, values);
    std::vector<instruction *> operands;
    for (const instruction *o : i.operands)
      operands.push_back(values.at(o));
    return target_.append(i.op, i.form, std::move(operands), i.attrs,
                          outermost ? i.name : std::string());
  }

  instruction *expand(const instruction &call, const value_map &values) {
    const computation &body = *call.attrs.called[0];
    value_map inner;
    const auto parameters = body.parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p)
      inner[parameters[p]] = values.at(call.operand(p));
    return copy(body.instructions(), body.root(), inner, false);
  }

  computation &target_;
  const std::function<bool(const instruction &)> &wanted_;
};

} // namespace

void inline_calls(module &m,
                  const std::function<bool(const instruction &)> &wanted) {
  computation &entry = *m.entry();
  const instruction *root = entry.root();
  const auto old = entry.take_all();
  value_map values;
  instruction *new_root = inliner(entry, wanted).copy(old, root, values, true);
  entry.set_root(new_root);
  m.remove_unused_computations();
}

} // namespace ganglion::hlo

#include "hlo/passes/dead_code_elimination.hpp"

#include "hlo/passes/communication.hpp"

#include <unordered_set>

namespace ganglion::hlo {

namespace {

using instruction_list = std::vector<std::unique_ptr<instruction>>;

/// Users come after operands, so one sweep from the end finds all.
std::unordered_set<const instruction *> live_in(const computation &c,
                                                communication &talks) {
  std::unordered_set<const instruction *> live{c.root()};
  const auto &all = c.instructions();
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if ((*i)->op == opcode::parameter || talks.in(**i))
      live.insert(i->get());
    if (live.contains(i->get()))
      live.insert((*i)->operands.begin(), (*i)->operands.end());
  }
  return live;
}

bool sweep(computation &c, communication &talks) {
  const auto live = live_in(c, talks);
  if (live.size() == c.instructions().size())
    return false;
  instruction *root = c.root();
  instruction_list kept;
  auto all = c.take_all();
  for (auto &i : all)
    if (live.contains(i.get()))
      kept.push_back(std::move(i));
  c.replace_all(std::move(kept), root);
  return true;
}

} // namespace

bool dead_code_elimination(module &m) {
  bool changed = false;
  communication talks;
  for (const auto &c : m.computations())
    changed |= sweep(*c, talks);
  const std::size_t before = m.computations().size();
  m.remove_unused_computations();
  return changed || m.computations().size() != before;
}

} // namespace ganglion::hlo

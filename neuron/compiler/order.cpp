#include "neuron/compiler/order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ganglion::neuron {

namespace {

using hlo::instruction;

/// A number for each instruction; those of operands are smaller.
using rank_map = std::map<const instruction *, std::int64_t>;

/// Steps from the inputs, at least.
rank_map from_inputs(const hlo::computation &c) {
  rank_map out;
  for (const auto &i : c.instructions()) {
    std::int64_t steps = 0;
    for (const instruction *o : i->operands)
      steps = std::max(steps, out.at(o) + 1);
    out[i.get()] = steps;
  }
  return out;
}

/// Steps to the results, at least, counted downwards.
rank_map to_results(const hlo::computation &c) {
  rank_map out;
  const auto &all = c.instructions();
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    const std::int64_t mine = out.try_emplace(i->get(), 0).first->second;
    for (const instruction *o : (*i)->operands) {
      auto &theirs = out.try_emplace(o, 0).first->second;
      theirs = std::min(theirs, mine - 1);
    }
  }
  return out;
}

void sort_entry(hlo::module &m, rank_map (*rank)(const hlo::computation &)) {
  const rank_map ranks = rank(*m.entry());
  instruction *root = m.entry()->root();
  auto all = m.entry()->take_all();
  std::ranges::stable_sort(all, {},
                           [&](const auto &i) { return ranks.at(i.get()); });
  m.entry()->replace_all(std::move(all), root);
}

/// What an order costs: less is better.
std::pair<std::size_t, std::size_t> cost_of(const hlo::module &m,
                                            const compile_options &options) {
  const auto code = lower(hlo::clone(m), options);
  return {code->meetings(), code->arena_bytes};
}

} // namespace

void choose_order(hlo::module &m, const compile_options &options) {
  auto best = cost_of(m, options);
  for (const auto rank : {from_inputs, to_results}) {
    const auto other = hlo::clone(m);
    sort_entry(*other, rank);
    const auto cost = cost_of(*other, options);
    if (cost >= best)
      continue;
    best = cost;
    sort_entry(m, rank);
  }
}

} // namespace ganglion::neuron

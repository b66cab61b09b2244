#include "hlo/module.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ganglion::hlo {

instruction *computation::append(opcode op, shape form,
                                 std::vector<instruction *> operands,
                                 attributes attrs, std::string name) {
  instructions_.push_back(std::make_unique<instruction>(
      op, std::move(form), std::move(operands), std::move(attrs)));
  instruction *added = instructions_.back().get();
  const auto id = next_id_++;
  if (name.empty()) {
    added->name = std::string(to_string(op)) + "." + std::to_string(id);
  } else {
    added->name = std::move(name);
    note_name(added->name);
  }
  root_ = added;
  return added;
}

// Generated names end in ".N": stay clear of given names that do as well.
void computation::note_name(const std::string &name) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos)
    return;
  std::int64_t number = 0;
  const char *end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + dot + 1, end, number);
  if (read.ec == std::errc() && read.ptr == end && number < max_elements)
    next_id_ = std::max(next_id_, number + 1);
}

std::vector<instruction *> computation::parameters() const {
  std::vector<instruction *> out;
  for (const auto &i : instructions_)
    if (i->op == opcode::parameter)
      out.push_back(i.get());
  std::sort(out.begin(), out.end(), [](auto *a, auto *b) {
    return a->attrs.parameter_number < b->attrs.parameter_number;
  });
  return out;
}

void computation::replace_all(
    std::vector<std::unique_ptr<instruction>> instructions, instruction *root) {
  instructions_ = std::move(instructions);
  root_ = root;
  for (const auto &i : instructions_)
    note_name(i->name);
}

std::vector<std::unique_ptr<instruction>> computation::take_all() {
  root_ = nullptr;
  return std::move(instructions_);
}

computation *module::add_computation(std::string name) {
  std::string unique = name;
  for (int n = 1; by_name_.contains(unique); ++n)
    unique = name + "." + std::to_string(n);
  computations_.push_back(std::make_unique<computation>(unique));
  by_name_[unique] = computations_.back().get();
  return computations_.back().get();
}

computation *module::find_computation(const std::string &name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

namespace {

std::set<computation *> reachable(computation *from) {
  std::set<computation *> seen{from};
  std::vector<computation *> open{from};
  while (!open.empty()) {
    const computation *c = open.back();
    open.pop_back();
    for (const auto &i : c->instructions())
      for (computation *callee : i->attrs.called)
        if (seen.insert(callee).second)
          open.push_back(callee);
  }
  return seen;
}

} // namespace

void module::remove_unused_computations() {
  const auto live = reachable(entry_);
  for (auto *names : {&by_name_, &composite_bodies})
    std::erase_if(*names, [&](const auto &entry) {
      return !live.contains(entry.second);
    });
  std::erase_if(computations_,
                [&](const auto &c) { return !live.contains(c.get()); });
}

namespace {

void visit(const computation *c, std::unordered_set<const computation *> &seen,
           std::vector<const computation *> &out) {
  if (!seen.insert(c).second)
    return;
  for (const auto &i : c->instructions())
    for (const computation *callee : i->attrs.called)
      visit(callee, seen, out);
  out.push_back(c);
}

} // namespace

std::vector<const computation *> callees_first(const module &m) {
  std::unordered_set<const computation *> seen;
  std::vector<const computation *> out;
  for (const auto &c : m.computations())
    if (c.get() != m.entry())
      visit(c.get(), seen, out);
  visit(m.entry(), seen, out);
  return out;
}

std::unique_ptr<module> clone(const module &source) {
  auto copy = std::make_unique<module>(source.name());
  copy->aliases = source.aliases;
  copy->num_partitions = source.num_partitions;
  copy->last_channel_id_ = source.last_channel_id_;
  std::unordered_map<const computation *, computation *> mapped;
  for (const auto &c : source.computations())
    mapped[c.get()] = copy->add_computation(c->name());
  for (const auto &c : source.computations()) {
    std::unordered_map<const instruction *, instruction *> values;
    computation *target = mapped.at(c.get());
    for (const auto &i : c->instructions()) {
      std::vector<instruction *> operands;
      for (const instruction *o : i->operands)
        operands.push_back(values.at(o));
      attributes attrs = i->attrs;
      for (computation *&callee : attrs.called)
        callee = mapped.at(callee);
      values[i.get()] = target->append(i->op, i->form, std::move(operands),
                                       std::move(attrs), i->name);
    }
    target->set_root(values.at(c->root()));
  }
  copy->set_entry(mapped.at(source.entry()));
  return copy;
}

} // namespace ganglion::hlo

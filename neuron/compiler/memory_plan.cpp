#include "neuron/compiler/memory_plan.hpp"

#include "hlo/composite.hpp"

#include <algorithm>
#include <cstring>

namespace ganglion::neuron {

using hlo::instruction;
using hlo::opcode;

int aliased_operand(const instruction &i) {
  if (i.op == opcode::reshape || i.op == opcode::copy ||
      i.op == opcode::bitcast_convert)
    return 0;
  if (i.op == opcode::call && i.attrs.is_composite) {
    const std::string &name = hlo::composite_name(i);
    if (name == "ganglion.write_keys" || name == "ganglion.write_values")
      return 2;
  }
  return -1;
}

namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// The instruction that owns the memory behind `i`.
const instruction *owner_of(const instruction *i) {
  for (;;) {
    if (const int a = aliased_operand(*i); a >= 0)
      i = i->operand(static_cast<std::size_t>(a));
    else if (i->op == opcode::get_tuple_element)
      i = i->operand(0);
    else
      return i;
  }
}

} // namespace

memory_plan::memory_plan(const hlo::computation &entry) {
  find_last_uses(entry);
  place_constants(entry);
  std::size_t now = 0;
  for (const auto &i : entry.instructions()) {
    place(i.get());
    free_dead(now++);
  }
}

void memory_plan::find_last_uses(const hlo::computation &entry) {
  std::size_t now = 0;
  for (const auto &i : entry.instructions()) {
    last_use_[owner_of(i.get())] = now;
    for (const instruction *o : i->operands) {
      last_use_[owner_of(o)] = now;
      if (o->op == opcode::tuple)
        for (const instruction *element : o->operands)
          last_use_[owner_of(element)] = now;
    }
    ++now;
  }
  // What the root returns lives to the end.
  const instruction *root = entry.root();
  last_use_[owner_of(root)] = now;
  if (root->op == opcode::tuple)
    for (const instruction *o : root->operands)
      last_use_[owner_of(o)] = now;
}

void memory_plan::place_constants(const hlo::computation &entry) {
  std::size_t total = 0;
  for (const auto &i : entry.instructions())
    if (i->op == opcode::constant)
      total += rounded(i->form.bytes());
  constants_ = aligned_buffer(total);
  std::size_t offset = 0;
  for (const auto &i : entry.instructions()) {
    if (i->op != opcode::constant)
      continue;
    const auto bytes = i->attrs.value->bytes();
    if (!bytes.empty())
      std::memcpy(constants_.data() + offset, bytes.data(), bytes.size());
    places_[i.get()] = {{buffer_ref::place::constant, offset}};
    offset += rounded(bytes.size());
  }
}

void memory_plan::place(const instruction *i) {
  auto &places = places_[i];
  if (i->op == opcode::constant)
    return;
  if (i->op == opcode::parameter) {
    places = {{buffer_ref::place::parameter,
               static_cast<std::size_t>(i->attrs.parameter_number)}};
  } else if (i->op == opcode::tuple) {
    for (const instruction *o : i->operands)
      places.push_back(places_.at(o)[0]);
  } else if (i->op == opcode::get_tuple_element) {
    places = {places_.at(i->operand(0))[i->attrs.tuple_index]};
  } else if (const int a = aliased_operand(*i); a >= 0) {
    places = places_.at(i->operand(static_cast<std::size_t>(a)));
  } else {
    const auto last = last_use_.at(i);
    const auto take = [&](const hlo::shape &s) {
      const std::size_t bytes = rounded(s.bytes());
      const std::size_t offset = allocate(bytes);
      live_.push_back({offset, bytes, last});
      places.push_back({buffer_ref::place::arena, offset});
    };
    if (i->form.tuple)
      for (const auto &element : i->form.elements)
        take(element);
    else
      take(i->form);
  }
}

std::size_t memory_plan::allocate(std::size_t bytes) {
  // First fit between the live blocks, in order of offset.
  std::sort(live_.begin(), live_.end(),
            [](const block &a, const block &b) { return a.offset < b.offset; });
  std::size_t offset = 0;
  for (const block &b : live_) {
    if (b.offset >= offset + bytes)
      break;
    offset = std::max(offset, b.offset + b.bytes);
  }
  arena_bytes_ = std::max(arena_bytes_, offset + bytes);
  return offset;
}

void memory_plan::free_dead(std::size_t now) {
  std::erase_if(live_, [&](const block &b) { return b.last_use <= now; });
}

} // namespace ganglion::neuron

#include "neuron/compiler/memory_plan.hpp"

#include "hlo/composite.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/lowering.hpp"
#include "neuron/compiler/views.hpp"

#include <algorithm>
#include <cstring>

namespace ganglion::neuron {

using hlo::instruction;
using hlo::opcode;

bool passes_memory_on(const instruction &i) {
  return i.op == opcode::reshape || i.op == opcode::copy ||
         i.op == opcode::bitcast_convert || is_view(i);
}

int overwritten_operand(const instruction &i) {
  if (i.op != opcode::call || !i.attrs.is_composite)
    return -1;
  const std::string &name = hlo::composite_name(i);
  return name == "ganglion.write_keys" || name == "ganglion.write_values" ||
                 name == "ganglion.write_scales"
             ? 2
             : -1;
}

std::vector<hlo::shape> leaves_of(const hlo::shape &s) {
  if (!s.tuple)
    return {s};
  std::vector<hlo::shape> out;
  for (const auto &element : s.elements)
    for (auto &leaf : leaves_of(element))
      out.push_back(std::move(leaf));
  return out;
}

namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

} // namespace

memory_plan::memory_plan(const hlo::module &m) : root_(m.entry()->root()) {
  find_last_users(*m.entry());
  assign_buffers(m);
  place_constants();
  place_arena();
  for (const auto &[i, list] : held_)
    for (const std::size_t b : list)
      places_[i].push_back(buffers_[b].place);
  for (const auto &[i, b] : scratch_buffers_)
    scratch_[i] = buffers_[b].place;
}

void memory_plan::find_last_users(const hlo::computation &entry) {
  std::size_t now = 0;
  for (const auto &i : entry.instructions()) {
    for (const instruction *o : i->operands)
      last_user_[o] = now;
    ++now;
  }
}

void memory_plan::assign_buffers(const hlo::module &m) {
  std::size_t now = 0;
  for (const auto &i : m.entry()->instructions()) {
    for (const instruction *o : i->operands)
      for (const std::size_t b : held_.at(o))
        buffers_[b].last_use = now;
    buffer_list list = buffers_for(m, *i, now);
    for (const std::size_t b : list)
      buffers_[b].holders.push_back(i.get());
    held_[i.get()] = std::move(list);
    add_scratch(*i, now);
    ++now;
  }
  // What the root returns lives to the end.
  for (const std::size_t b : held_.at(root_))
    buffers_[b].last_use = now;
}

memory_plan::buffer_list memory_plan::buffers_for(const hlo::module &m,
                                                  const instruction &i,
                                                  std::size_t now) {
  buffer_list out;
  if (i.op == opcode::tuple) {
    for (const instruction *o : i.operands)
      out.insert(out.end(), held_.at(o).begin(), held_.at(o).end());
  } else if (i.op == opcode::get_tuple_element) {
    const auto &whole = i.operand(0)->form.elements;
    auto first = held_.at(i.operand(0)).begin();
    for (std::int64_t k = 0; k < i.attrs.tuple_index; ++k)
      first += static_cast<std::ptrdiff_t>(leaves_of(whole[k]).size());
    out.assign(first,
               first + static_cast<std::ptrdiff_t>(leaves_of(i.form).size()));
  } else if (passes_memory_on(i)) {
    out = held_.at(i.operand(0));
  } else if (may_overwrite(i, now)) {
    out = held_.at(i.operand(static_cast<std::size_t>(overwritten_operand(i))));
  } else if (i.op == opcode::parameter) {
    if (i.form.tuple)
      throw error(error_code::unsupported,
                  "a parameter must be an array; this is " +
                      hlo::to_string(i.form, false),
                  i.name);
    const auto number = i.attrs.parameter_number;
    const bool home = std::any_of(
        m.aliases.begin(), m.aliases.end(),
        [&](const hlo::alias &a) { return a.parameter_number == number; });
    out = {add_buffer(
        {{buffer_ref::place::parameter, static_cast<std::size_t>(number)},
         i.form.bytes(),
         now,
         now,
         home,
         {}},
        now)};
  } else {
    const bool constant = i.op == opcode::constant;
    const auto where = constant           ? buffer_ref::place::constant
                       : is_repeatable(i) ? buffer_ref::place::local
                                          : buffer_ref::place::arena;
    for (const auto &leaf : leaves_of(i.form))
      out.push_back(
          add_buffer({{where, 0}, leaf.bytes(), now, now, !constant, {}}, now));
  }
  return out;
}

std::size_t memory_plan::add_buffer(buffer b, std::size_t now) {
  b.first_use = b.last_use = now;
  buffers_.push_back(std::move(b));
  return buffers_.size() - 1;
}

/// Alive during its instruction alone, like the operands and the result.
void memory_plan::add_scratch(const instruction &i, std::size_t now) {
  if (i.op != opcode::call || !i.attrs.is_composite)
    return;
  const auto *kernel = find_composite_kernel(hlo::composite_name(i));
  if (!kernel || !kernel->scratch_bytes)
    return;
  scratch_buffers_[&i] = add_buffer({{buffer_ref::place::arena, 0},
                                     kernel->scratch_bytes(i),
                                     now,
                                     now,
                                     true,
                                     {}},
                                    now);
}

/// Nobody may look at the old contents any more, under any name.
bool memory_plan::may_overwrite(const instruction &i, std::size_t now) const {
  const int target = overwritten_operand(i);
  if (target < 0)
    return false;
  const std::size_t wanted =
      held_.at(i.operand(static_cast<std::size_t>(target)))[0];
  if (!buffers_[wanted].writable ||
      buffers_[wanted].place.where == buffer_ref::place::local)
    return false; // each member would write its share of its own
  for (std::size_t o = 0; o < i.operands.size(); ++o) {
    const auto &held = held_.at(i.operand(o));
    if (static_cast<int>(o) != target &&
        std::find(held.begin(), held.end(), wanted) != held.end())
      return false;
  }
  const auto &holders = buffers_[wanted].holders;
  return std::all_of(holders.begin(), holders.end(), [&](const auto *h) {
    const auto user = last_user_.find(h);
    return h != root_ && (user == last_user_.end() || user->second <= now);
  });
}

void memory_plan::place_constants() {
  std::size_t total = 0;
  for (buffer &b : buffers_)
    if (b.place.where == buffer_ref::place::constant) {
      b.place.index = total;
      total += rounded(b.bytes);
    }
  constants_ = aligned_buffer(total);
  for (const buffer &b : buffers_)
    if (b.place.where == buffer_ref::place::constant && b.bytes > 0)
      std::memcpy(constants_.data() + b.place.index,
                  b.holders[0]->attrs.value->bytes().data(), b.bytes);
}

void memory_plan::place_arena() {
  // In order of first use: what is dead before that makes room.
  for (buffer &b : buffers_) {
    const bool local = b.place.where == buffer_ref::place::local;
    if (!local && b.place.where != buffer_ref::place::arena)
      continue;
    auto &live = local ? live_local_ : live_;
    std::erase_if(
        live, [&](const block &other) { return other.last_use < b.first_use; });
    const std::size_t bytes = rounded(b.bytes);
    b.place.index = allocate(live, bytes);
    auto &end = local ? local_bytes_ : arena_bytes_;
    end = std::max(end, b.place.index + bytes);
    live.push_back({b.place.index, bytes, b.last_use});
  }
}

std::size_t memory_plan::allocate(std::vector<block> &live, std::size_t bytes) {
  // First fit between the live blocks, in order of offset.
  std::sort(live.begin(), live.end(),
            [](const block &a, const block &b) { return a.offset < b.offset; });
  std::size_t offset = 0;
  for (const block &b : live) {
    if (b.offset >= offset + bytes)
      break;
    offset = std::max(offset, b.offset + b.bytes);
  }
  return offset;
}

buffer_ref memory_plan::extra(std::size_t bytes) {
  const std::size_t offset = arena_bytes_;
  arena_bytes_ += rounded(bytes);
  return {buffer_ref::place::arena, offset};
}

} // namespace ganglion::neuron

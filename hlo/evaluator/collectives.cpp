#include "hlo/evaluator/collectives.hpp"

#include "hlo/evaluator/accumulator.hpp"
#include "hlo/evaluator/strided.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>
#include <string>

namespace ganglion::hlo {

namespace {

using views = std::span<const literal_view>;

[[noreturn]] void fail(const instruction &i, const std::string &message) {
  throw error(error_code::invalid_argument, message, i.name, "replica_groups");
}

/// The groups of `i`, each partition in exactly one.
std::vector<dims> checked_groups(const instruction &i, std::size_t partitions) {
  std::vector<dims> groups = i.attrs.replica_groups;
  if (groups.empty()) {
    groups.emplace_back(partitions);
    for (std::size_t p = 0; p < partitions; ++p)
      groups[0][p] = static_cast<std::int64_t>(p);
  }
  std::vector<int> seen(partitions, 0);
  for (const auto &group : groups)
    for (const auto member : group) {
      if (member < 0 || member >= static_cast<std::int64_t>(partitions))
        fail(i, "partition " + std::to_string(member) + " is not one of " +
                    std::to_string(partitions));
      ++seen[static_cast<std::size_t>(member)];
    }
  for (std::size_t p = 0; p < partitions; ++p)
    if (seen[p] != 1)
      fail(i, "partition " + std::to_string(p) + " is named " +
                  std::to_string(seen[p]) + " times, not once");
  return groups;
}

/// Whether the shapes fit a group of `ranks`.
bool fits(const instruction &i, const shape &in, std::int64_t ranks) {
  if (i.op == opcode::all_reduce)
    return in.dimensions == i.form.dimensions;
  const auto d = i.attrs.dimensions.at(0);
  const auto before = in.dim(d), after = i.form.dim(d);
  switch (i.op) {
  case opcode::all_gather:
    return after == before * ranks;
  case opcode::reduce_scatter:
    return before == after * ranks;
  default:
    return before == after && before % ranks == 0;
  }
}

/// Copies `block` positions along `d` from one array to another.
void copy_block(const literal_view &from, std::int64_t from_position,
                const literal_view &to, std::int64_t to_position,
                std::int64_t d, std::int64_t block) {
  box b = box_of(from.form->dimensions);
  b.size[d] = block;
  b.from_stride = dense_strides(from.form->dimensions);
  b.to_stride = dense_strides(to.form->dimensions);
  b.from_offset = from_position * b.from_stride[d];
  b.to_offset = to_position * b.to_stride[d];
  copy_box(b, from.data, to.data, byte_size(to.form->type));
}

void all_gather(std::int64_t d, views in, views out) {
  const auto block = in[0].form->dim(d);
  for (const auto &target : out)
    for (std::size_t s = 0; s < in.size(); ++s)
      copy_block(in[s], 0, target, static_cast<std::int64_t>(s) * block, d,
                 block);
}

void all_to_all(std::int64_t d, views in, views out) {
  const auto block = in[0].form->dim(d) / static_cast<std::int64_t>(in.size());
  for (std::size_t r = 0; r < out.size(); ++r)
    for (std::size_t s = 0; s < in.size(); ++s)
      copy_block(in[s], static_cast<std::int64_t>(r) * block, out[r],
                 static_cast<std::int64_t>(s) * block, d, block);
}

/// Combines element `from` of every input into element `to` of `out`.
void reduce_element(accumulator &sum, views in, std::int64_t from,
                    const literal_view &out, std::int64_t to) {
  sum.begin(in.subspan(0, 1), from);
  for (std::size_t s = 1; s < in.size(); ++s)
    sum.take(in.subspan(s, 1), from);
  sum.write({&out, 1}, to);
}

void all_reduce(accumulator &sum, views in, views out) {
  const auto n = out[0].form->size();
  for (std::int64_t e = 0; e < n; ++e)
    reduce_element(sum, in, e, out[0], e);
  for (const auto &target : out)
    copy_array(out[0], target);
}

void reduce_scatter(accumulator &sum, std::int64_t d, views in, views out) {
  const numbers strides = dense_strides(in[0].form->dimensions);
  const box part = box_of(out[0].form->dimensions);
  for (std::size_t r = 0; r < out.size(); ++r) {
    const auto base =
        static_cast<std::int64_t>(r) * out[r].form->dim(d) * strides[d];
    std::int64_t written = 0;
    for_each_index(part.rank, part.size, [&](const numbers &index) {
      reduce_element(sum, in, base + offset_of(part.rank, index, strides),
                     out[r], written++);
    });
  }
}

void run_group(const instruction &i, views in, views out) {
  if (!fits(i, *in[0].form, static_cast<std::int64_t>(in.size())))
    fail(i, "a group of " + std::to_string(in.size()) + " turns " +
                to_string(*in[0].form, false) + " into another shape than " +
                to_string(i.form, false));
  if (i.op == opcode::all_gather)
    return all_gather(i.attrs.dimensions[0], in, out);
  if (i.op == opcode::all_to_all)
    return all_to_all(i.attrs.dimensions[0], in, out);
  if (i.attrs.called.empty())
    throw error(error_code::invalid_argument, "has no computation to apply",
                i.name, "to_apply");
  accumulator sum(*i.attrs.called[0], in.subspan(0, 1));
  if (i.op == opcode::all_reduce)
    return all_reduce(sum, in, out);
  reduce_scatter(sum, i.attrs.dimensions[0], in, out);
}

} // namespace

void evaluate_collective(const instruction &i,
                         std::span<const std::size_t> active,
                         std::size_t partitions, views inputs, views outputs) {
  for (const auto &group : checked_groups(i, partitions)) {
    std::vector<literal_view> in, out;
    for (const auto member : group) {
      const auto found = std::find(active.begin(), active.end(),
                                   static_cast<std::size_t>(member));
      if (found == active.end())
        continue;
      const auto position = static_cast<std::size_t>(found - active.begin());
      in.push_back(inputs[position]);
      out.push_back(outputs[position]);
    }
    if (in.empty())
      continue;
    if (in.size() != group.size())
      fail(i, "only " + std::to_string(in.size()) + " of " +
                  std::to_string(group.size()) + " partitions reach it");
    run_group(i, in, out);
  }
}

} // namespace ganglion::hlo

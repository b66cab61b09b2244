// How the members of a team share each kernel's operands and result. What a
// function leaves out may be touched by any member.
#include "neuron/compiler/lowering.hpp"

#include <algorithm>
#include <string_view>

namespace ganglion::neuron {

namespace {

std::int64_t element_bytes(const hlo::shape &s) {
  return static_cast<std::int64_t>(byte_size(s.type));
}

/// [rows, heads * width] or [rows, heads, width], by groups of heads.
share_map heads_of(const hlo::shape &s, std::int64_t groups) {
  const std::int64_t row = s.size() / s.dim(0) * element_bytes(s);
  return share_map::by_heads(groups, row / groups);
}

/// A cache: which part of a block a head has does not matter, only whose.
share_map cache_of(std::int64_t heads) { return share_map::by_heads(heads, 1); }

/// Operands with a row for each row of the result come first.
sharing share_rows(const lowering &l) {
  const share_map rows{share_map::kind::rows, l.bound, l.result().dim(0)};
  sharing out;
  out.result = rows;
  for (std::size_t i = 0; i < l.operands() && i < 2; ++i)
    out.operands.push_back(
        l.operand(i).rank() == l.result().rank() ? rows : share_map{});
  return out;
}

/// Rows are taken from anywhere.
sharing share_gather(const lowering &l) {
  sharing out;
  out.result = {share_map::kind::rows, l.bound, l.result().dim(0)};
  return out;
}

/// Panels of outputs.
sharing share_product(const lowering &l) {
  const std::int64_t n = l.result().dim(1), bytes = element_bytes(l.result());
  sharing out;
  out.result = share_map::by_columns((n + panel_width - 1) / panel_width,
                                     panel_width * bytes, n * bytes);
  return out;
}

sharing share_heads(const lowering &l) {
  const std::int64_t heads = l.result().dim(1);
  sharing out;
  out.operands = {heads_of(l.operand(0), heads)};
  out.result = heads_of(l.result(), heads);
  return out;
}

sharing share_attention(const lowering &l) {
  const std::int64_t heads = l.operand(1).dim(1);
  sharing out;
  out.operands = {heads_of(l.operand(0), heads), cache_of(heads),
                  cache_of(heads)};
  if (l.operand(1).type == element_type::s8) {
    out.operands.resize(7);
    out.operands.insert(out.operands.end(), 2, cache_of(heads)); // scales
  }
  out.result = heads_of(l.result(), heads);
  return out;
}

sharing share_cache_write(const lowering &l) {
  const std::int64_t heads = l.operand(0).dim(1);
  const share_map first{share_map::kind::first};
  sharing out;
  if (l.operand_ref(2) != l.result_ref()) { // member 0 writes into a copy
    out.operands = {first, first, first};
    out.result = first;
    return out;
  }
  out.operands = {heads_of(l.operand(0), heads), {}, cache_of(heads)};
  out.result = cache_of(heads);
  return out;
}

struct kernel_sharing {
  std::string_view name;
  sharing (*share)(const lowering &); ///< null: anything may be touched
  bool repeatable = false;
};

constexpr kernel_sharing table[] = {
    {"ganglion.dynamic_rotary_table", share_gather, true},
    {"ganglion.embedding", share_gather, true},
    {"ganglion.gated_int4_linear", share_product},
    {"ganglion.gated_int8_linear", share_product},
    {"ganglion.gated_linear", share_product},
    {"ganglion.group_sums", share_rows, true},
    {"ganglion.head_norm", nullptr, true},
    {"ganglion.int4_linear", share_product},
    {"ganglion.int8_linear", share_product},
    {"ganglion.layer_norm", share_rows, true},
    {"ganglion.linear", share_product},
    {"ganglion.paged_attention", share_attention},
    {"ganglion.paged_attention_part", share_attention},
    {"ganglion.quantise_rows", share_rows, true},
    {"ganglion.residual_add", share_rows, true},
    {"ganglion.rms_norm", share_rows, true},
    {"ganglion.rotary", share_heads},
    {"ganglion.rotary_table", share_gather, true},
    {"ganglion.round_rows", share_rows, true},
    {"ganglion.round_through", share_rows},
    {"ganglion.row_scales", share_rows, true},
    {"ganglion.split_heads", share_heads},
    {"ganglion.take_columns", share_rows, true},
    {"ganglion.take_rows", share_gather, true},
    {"ganglion.write_keys", share_cache_write},
    {"ganglion.write_scales", share_cache_write},
    {"ganglion.write_values", share_cache_write},
};

const kernel_sharing *find_sharing(const hlo::instruction &call) {
  const std::string &name = hlo::composite_name(call);
  const auto *found = std::ranges::find(table, name, &kernel_sharing::name);
  return found == std::end(table) ? nullptr : found;
}

} // namespace

sharing sharing_of(const lowering &l) {
  const kernel_sharing *found = find_sharing(l.instruction());
  return found && found->share ? found->share(l) : sharing{};
}

bool is_repeatable(const hlo::instruction &i) {
  if (i.op != hlo::opcode::call || !i.attrs.is_composite)
    return false;
  const kernel_sharing *found = find_sharing(i);
  return found && found->repeatable;
}

} // namespace ganglion::neuron

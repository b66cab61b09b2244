#include "hlo/composites/int4_linear.hpp"
#include "neuron/compiler/lowering.hpp"

namespace ganglion::neuron {

using hlo::instruction;
using hlo::shape;

namespace {

bool is_storage(const shape &s) {
  return s.type == element_type::f32 || s.type == element_type::bf16 ||
         s.type == element_type::f16;
}

bool is(const shape &s, element_type type, std::int64_t rank) {
  return !s.tuple && s.type == type && s.rank() == rank;
}

bool is_floats(const shape &s, std::int64_t rank) {
  return is(s, element_type::f32, rank);
}

bool is_indices(const shape &s, std::int64_t rank) {
  return is(s, element_type::s32, rank);
}

const shape &form(const instruction &call, std::size_t operand) {
  return call.operand(operand)->form;
}

bool operands_between(const instruction &call, std::size_t low,
                      std::size_t high) {
  return call.operands.size() >= low && call.operands.size() <= high;
}

bool chooses_some(const instruction &call) {
  const auto a = hlo::composite_attributes_of(call);
  return a.has("chosen") && a.integer("chosen") > 0;
}

} // namespace

bool fits_product(const instruction &call) {
  const bool gated = hlo::composite_name(call) == "ganglion.gated_linear";
  const std::size_t weights = gated ? 2 : 1, count = call.operands.size();
  if (count < 1 + weights)
    return false;
  const element_type type = form(call, 0).type;
  const bool scaled = form(call, 1).type == element_type::s8;
  const std::size_t scales = 1 + weights,
                    biases = scales + (scaled ? weights : 0);
  if (count != biases && count != biases + weights)
    return false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool weight = i > 0 && i < scales;
    const element_type wanted = weight && scaled            ? element_type::s8
                                : i >= scales && i < biases ? element_type::f32
                                                            : type;
    if (!is(form(call, i), wanted, i < scales ? 2 : 1))
      return false;
  }
  return is_storage(form(call, 0)) && is_storage(call.form) &&
         hlo::activation_from(
             hlo::composite_attributes_of(call).text("activation"));
}

namespace {

/// x, `weights` matrices, a scale for each, the rows' scale, biases if any.
bool fits_int8_product(const instruction &call, std::size_t weights) {
  const std::size_t scales = 1 + weights, row_scale = scales + weights,
                    biases = row_scale + 1, count = call.operands.size();
  if (count != biases && count != biases + weights)
    return false;
  const shape &x = form(call, 0);
  if (!is(x, element_type::s8, 2) || x.dim(1) > hlo::most_int8_inputs ||
      !is_floats(form(call, row_scale), 2) || !is_storage(call.form))
    return false;
  for (std::size_t i = 0; i < weights; ++i)
    if (!is(form(call, 1 + i), element_type::s8, 2) ||
        !is_floats(form(call, scales + i), 1) ||
        (count > biases &&
         (!is_storage(form(call, biases + i)) ||
          !is(form(call, biases + i), form(call, biases).type, 1))))
      return false;
  return hlo::activation_from(
             hlo::composite_attributes_of(call).text("activation"))
      .has_value();
}

} // namespace

bool fits_int8_linear(const instruction &call) {
  return fits_int8_product(call, 1);
}
bool fits_gated_int8_linear(const instruction &call) {
  return fits_int8_product(call, 2);
}

namespace {

/// x, `weights` matrices, a scale for each, the groups' sums, the rows' scale,
/// biases if any.
bool fits_int4_product(const instruction &call, std::size_t weights) {
  const std::size_t scales = 1 + weights, sums = scales + weights,
                    biases = sums + 2, count = call.operands.size();
  if (count != biases && count != biases + weights)
    return false;
  const auto attributes = hlo::composite_attributes_of(call);
  if (!is(form(call, 0), element_type::s8, 2) ||
      !is(form(call, sums), element_type::s32, 2) ||
      !is_floats(form(call, sums + 1), 2) || !is_storage(call.form) ||
      attributes.integer("group") <= 0 || attributes.integer("group") % 8 != 0)
    return false;
  for (std::size_t i = 0; i < weights; ++i)
    if (!is(form(call, 1 + i), element_type::s8, 2) ||
        !is(form(call, scales + i), element_type::f16, 2) ||
        (count > biases &&
         (!is_storage(form(call, biases + i)) ||
          !is(form(call, biases + i), form(call, biases).type, 1))))
      return false;
  return hlo::activation_from(attributes.text("activation")).has_value();
}

} // namespace

bool fits_int4_linear(const instruction &call) {
  return fits_int4_product(call, 1);
}
bool fits_gated_int4_linear(const instruction &call) {
  return fits_int4_product(call, 2);
}

bool fits_group_sums(const instruction &call) {
  return operands_between(call, 1, 1) &&
         is(form(call, 0), element_type::s8, 2) &&
         is(call.form, element_type::s32, 2) &&
         hlo::composite_attributes_of(call).integer("group") > 0;
}

bool fits_row_scales(const instruction &call) {
  return operands_between(call, 1, 1) && is_storage(form(call, 0)) &&
         form(call, 0).rank() == 2 && is_floats(call.form, 2);
}

bool fits_quantise_rows(const instruction &call) {
  return operands_between(call, 2, 2) && is_storage(form(call, 0)) &&
         form(call, 0).rank() == 2 && is_floats(form(call, 1), 2) &&
         is(call.form, element_type::s8, 2);
}

bool fits_norm(const instruction &call) {
  if (!operands_between(call, 2, 3))
    return false;
  const element_type type = form(call, 1).type;
  return is_floats(form(call, 0), 2) && is_storage(form(call, 1)) &&
         (call.operands.size() < 3 || is(form(call, 2), type, 1)) &&
         is_storage(call.form);
}

bool fits_head_norm(const instruction &call) {
  return operands_between(call, 2, 2) && is_floats(form(call, 0), 2) &&
         is_storage(form(call, 1)) && form(call, 1).rank() == 1 &&
         form(call, 0).dim(1) % form(call, 1).dim(0) == 0 &&
         is_floats(call.form, 2);
}

bool fits_heads(const instruction &call) {
  return operands_between(call, 1, 2) && is_floats(form(call, 0), 2) &&
         (call.operands.size() < 2 || is_floats(form(call, 1), 3)) &&
         is_storage(call.form) && call.form.rank() == 3;
}

/// Also `round_through`.
bool fits_round_rows(const instruction &call) {
  const shape &x = form(call, 0);
  return operands_between(call, 1, 1) && is_floats(x, x.rank()) &&
         x.rank() > 0 && is_storage(call.form);
}

bool fits_rotary_table(const instruction &call) {
  return operands_between(call, 2, 2) && is_indices(form(call, 0), 1) &&
         is_floats(form(call, 1), 1);
}

bool fits_attention(const instruction &call) {
  const shape &query = form(call, 0), &keys = form(call, 1);
  const bool scaled = keys.type == element_type::s8;
  const std::size_t slopes = scaled ? 9 : 7;
  if (!operands_between(call, slopes, slopes + 1) ||
      (call.operands.size() > slopes && !is_floats(form(call, slopes), 1)) ||
      (scaled && !(is_floats(form(call, 7), 3) && is_floats(form(call, 8), 3))))
    return false;
  const element_type cache = scaled ? element_type::s8 : query.type;
  return is_storage(query) && is(query, query.type, 3) && is(keys, cache, 4) &&
         is(form(call, 2), cache, 4) && is_indices(form(call, 3), 1) &&
         is_indices(form(call, 4), 1) && is_indices(form(call, 5), 2) &&
         is_indices(form(call, 6), 1) && is_storage(call.form) &&
         query.dim(1) % keys.dim(1) == 0 && query.dim(2) <= max_head_width &&
         keys.dim(3) % attention_segment == 0;
}

bool fits_attention_merge(const instruction &call) {
  if (!operands_between(call, 1, 1))
    return false;
  const auto heads = hlo::composite_attributes_of(call).integer("heads");
  return is_floats(form(call, 0), 2) && is_storage(call.form) &&
         call.form.dim(1) / heads <= max_head_width;
}

bool fits_cache_write(const instruction &call) {
  if (!operands_between(call, 3, 3))
    return false;
  const shape &rows = form(call, 0), &cache = form(call, 2);
  const element_type kept =
      cache.type == element_type::s8 ? element_type::s8 : rows.type;
  return is_storage(rows) && is(rows, rows.type, 3) && is(cache, kept, 4) &&
         is_indices(form(call, 1), 1);
}

bool fits_scale_write(const instruction &call) {
  return operands_between(call, 3, 3) && is_storage(form(call, 0)) &&
         form(call, 0).rank() == 3 && is_indices(form(call, 1), 1) &&
         is_floats(form(call, 2), 3);
}

bool fits_dynamic_rotary_table(const instruction &call) {
  return operands_between(call, 2, 2) && is_indices(form(call, 0), 1) &&
         is_indices(form(call, 1), 1);
}

/// `take_rows` keeps its type, so the table's shape decides for both.
bool fits_embedding(const instruction &call) {
  return operands_between(call, 2, 2) && is_indices(form(call, 0), 1) &&
         is_storage(form(call, 1)) && form(call, 1).rank() == 2 &&
         is_floats(call.form, 2);
}

bool fits_take_columns(const instruction &call) {
  if (!operands_between(call, 1, 1))
    return false;
  const auto a = hlo::composite_attributes_of(call);
  const shape &x = form(call, 0);
  return is_storage(x) && is(x, x.type, 2) && is(call.form, x.type, 2) &&
         x.dim(0) == call.form.dim(0) && a.has("first") &&
         a.integer("first") >= 0 &&
         a.integer("first") + call.form.dim(1) <= x.dim(1);
}

bool fits_residual_add(const instruction &call) {
  return operands_between(call, 2, 3) && is_floats(form(call, 0), 2) &&
         is_floats(form(call, 1), 2) &&
         (call.operands.size() < 3 ||
          (is_storage(form(call, 2)) && form(call, 2).rank() == 1));
}

bool fits_route(const instruction &call) {
  return chooses_some(call) && operands_between(call, 1, 1) &&
         is_floats(form(call, 0), 2) && form(call, 0).dim(1) > 0 &&
         is_floats(call.form, 2);
}

/// x, gates, then gate, up and down of every expert, then their scales if
/// quantised.
bool fits_expert_mlp(const instruction &call) {
  if (call.operands.size() < 5)
    return false;
  const shape &x = form(call, 0), &gates = form(call, 1), &up = form(call, 3);
  const bool scaled = up.type == element_type::s8;
  if (!is_storage(x) || !is(x, x.type, 2) || !is_floats(gates, 2) ||
      !is(up, scaled ? element_type::s8 : x.type, 2) ||
      !is_floats(call.form, 2) || !chooses_some(call))
    return false;
  const auto weights = static_cast<std::size_t>(3 * gates.dim(1));
  if (call.operands.size() != 2 + (scaled ? 2 : 1) * weights)
    return false;
  const shape down = hlo::array_shape(up.type, {up.dim(1), up.dim(0)});
  for (std::size_t i = 0; i < weights; ++i) {
    const shape &w = i % 3 == 2 ? down : up;
    if (form(call, 2 + i) != w)
      return false;
    if (scaled && form(call, 2 + weights + i) !=
                      hlo::array_shape(element_type::f32, {w.dim(0)}))
      return false;
  }
  return hlo::activation_from(
             hlo::composite_attributes_of(call).text("activation"))
      .has_value();
}

} // namespace ganglion::neuron

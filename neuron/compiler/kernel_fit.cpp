#include "hlo/composites/activation.hpp"
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
  if (count != 1 + weights && count != 1 + 2 * weights)
    return false;
  const element_type type = form(call, 0).type;
  for (std::size_t i = 0; i < count; ++i)
    if (!is(form(call, i), type, i <= weights ? 2 : 1))
      return false;
  return is_storage(form(call, 0)) && is_storage(call.form) &&
         hlo::activation_from(
             hlo::composite_attributes_of(call).text("activation"));
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
  if (!operands_between(call, 7, 8) ||
      (call.operands.size() > 7 && !is_floats(form(call, 7), 1)))
    return false;
  const shape &query = form(call, 0), &keys = form(call, 1);
  return is_storage(query) && is(query, query.type, 3) &&
         is(keys, query.type, 4) && is(form(call, 2), query.type, 4) &&
         is_indices(form(call, 3), 1) && is_indices(form(call, 4), 1) &&
         is_indices(form(call, 5), 2) && is_indices(form(call, 6), 1) &&
         is_storage(call.form) && query.dim(1) % keys.dim(1) == 0 &&
         query.dim(2) <= max_head_width && keys.dim(3) % attention_segment == 0;
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
  const shape &cache = form(call, 2);
  return is_storage(cache) && is(cache, cache.type, 4) &&
         is(form(call, 0), cache.type, 3) && is_indices(form(call, 1), 1);
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

/// x, gates, then gate, up and down of every expert.
bool fits_expert_mlp(const instruction &call) {
  const std::size_t count = call.operands.size();
  if (count < 5 || (count - 2) % 3 != 0)
    return false;
  const shape &x = form(call, 0), &up = form(call, 3);
  if (!is_storage(x) || !is(x, x.type, 2) || !is(up, x.type, 2) ||
      !is_floats(form(call, 1), 2) || !is_floats(call.form, 2) ||
      form(call, 1).dim(1) != static_cast<std::int64_t>((count - 2) / 3))
    return false;
  if (!chooses_some(call))
    return false;
  const shape down = hlo::array_shape(x.type, {up.dim(1), up.dim(0)});
  for (std::size_t i = 2; i < count; ++i)
    if (form(call, i) != ((i - 2) % 3 == 2 ? down : up))
      return false;
  return hlo::activation_from(
             hlo::composite_attributes_of(call).text("activation"))
      .has_value();
}

} // namespace ganglion::neuron

#include "hlo/proto/attribute_wire.hpp"

#include "hlo/proto/group_wire.hpp"

#include <algorithm>

namespace ganglion::hlo::wire {

namespace {

using op = opcode;
using message = HloInstructionProto;

/// One field or group of fields that the operation `op` has.
struct field_rule {
  opcode op;
  void (*write)(const instruction &from, message &to);
  void (*read)(const message &from, attributes &to, const std::string &where);
};

constexpr field_rule dimensions(op o) {
  return {o,
          [](const instruction &from, message &to) {
            put(to.mutable_dimensions(), from.attrs.dimensions);
          },
          [](const message &from, attributes &to, const std::string &) {
            to.dimensions = got(from.dimensions());
          }};
}

void write_parameter(const instruction &from, message &to) {
  to.set_parameter_number(from.attrs.parameter_number);
}
void read_parameter(const message &from, attributes &to, const std::string &) {
  to.parameter_number = from.parameter_number();
}

void write_tuple_index(const instruction &from, message &to) {
  to.set_tuple_index(from.attrs.tuple_index);
}
void read_tuple_index(const message &from, attributes &to,
                      const std::string &) {
  to.tuple_index = from.tuple_index();
}

void write_compare(const instruction &from, message &to) {
  const element_type type = from.operand(0)->form.type;
  to.set_comparison_direction(std::string(to_string(from.attrs.direction)));
  to.set_comparison_type(from.attrs.total_order ? "TOTALORDER"
                         : is_floating(type)    ? "FLOAT"
                         : is_signed(type)      ? "SIGNED"
                                                : "UNSIGNED");
}
void read_compare(const message &from, attributes &to,
                  const std::string &where) {
  const auto direction = comparison_from(from.comparison_direction());
  check(direction.has_value(), "unknown comparison direction", where);
  to.direction = *direction;
  const std::string &type = from.comparison_type();
  to.total_order = type == "TOTALORDER";
  check(to.total_order || type.empty() || type == "FLOAT" || type == "SIGNED" ||
            type == "UNSIGNED",
        "comparison type must be FLOAT, TOTALORDER, SIGNED or UNSIGNED", where);
}

void write_slice(const instruction &from, message &to) {
  const attributes &a = from.attrs;
  for (std::size_t d = 0; d < a.slice_starts.size(); ++d) {
    auto *range = to.add_slice_dimensions();
    range->set_start(a.slice_starts[d]);
    range->set_limit(a.slice_limits[d]);
    range->set_stride(a.slice_strides[d]);
  }
}
void read_slice(const message &from, attributes &to, const std::string &) {
  for (const auto &range : from.slice_dimensions()) {
    to.slice_starts.push_back(range.start());
    to.slice_limits.push_back(range.limit());
    to.slice_strides.push_back(range.stride());
  }
}

void write_dynamic_slice(const instruction &from, message &to) {
  put(to.mutable_dynamic_slice_sizes(), from.attrs.dynamic_slice_sizes);
}
void read_dynamic_slice(const message &from, attributes &to,
                        const std::string &) {
  to.dynamic_slice_sizes = got(from.dynamic_slice_sizes());
}

void write_pad(const instruction &from, message &to) {
  auto *config = to.mutable_padding_config();
  for (const padding_dim &p : from.attrs.padding) {
    auto *d = config->add_dimensions();
    d->set_edge_padding_low(p.low);
    d->set_edge_padding_high(p.high);
    d->set_interior_padding(p.interior);
  }
}
void read_pad(const message &from, attributes &to, const std::string &) {
  for (const auto &d : from.padding_config().dimensions())
    to.padding.push_back(
        {d.edge_padding_low(), d.edge_padding_high(), d.interior_padding()});
}

void write_dot(const instruction &from, message &to) {
  auto *d = to.mutable_dot_dimension_numbers();
  const dot_dims &dot = from.attrs.dot;
  put(d->mutable_lhs_contracting_dimensions(), dot.lhs_contracting);
  put(d->mutable_rhs_contracting_dimensions(), dot.rhs_contracting);
  put(d->mutable_lhs_batch_dimensions(), dot.lhs_batch);
  put(d->mutable_rhs_batch_dimensions(), dot.rhs_batch);
}
void read_dot(const message &from, attributes &to, const std::string &) {
  const auto &d = from.dot_dimension_numbers();
  to.dot = {got(d.lhs_contracting_dimensions()),
            got(d.rhs_contracting_dimensions()), got(d.lhs_batch_dimensions()),
            got(d.rhs_batch_dimensions())};
}

void write_gather(const instruction &from, message &to) {
  auto *d = to.mutable_gather_dimension_numbers();
  const gather_dims &g = from.attrs.gather;
  put(d->mutable_offset_dims(), g.offset_dims);
  put(d->mutable_collapsed_slice_dims(), g.collapsed_slice_dims);
  put(d->mutable_start_index_map(), g.start_index_map);
  d->set_index_vector_dim(g.index_vector_dim);
  put(d->mutable_operand_batching_dims(), g.operand_batching_dims);
  put(d->mutable_start_indices_batching_dims(), g.start_indices_batching_dims);
  put(to.mutable_gather_slice_sizes(), g.slice_sizes);
}
void read_gather(const message &from, attributes &to, const std::string &) {
  const auto &d = from.gather_dimension_numbers();
  to.gather = {got(d.offset_dims()),
               got(d.collapsed_slice_dims()),
               got(d.start_index_map()),
               d.index_vector_dim(),
               got(from.gather_slice_sizes()),
               got(d.operand_batching_dims()),
               got(d.start_indices_batching_dims())};
}

void write_scatter(const instruction &from, message &to) {
  auto *d = to.mutable_scatter_dimension_numbers();
  const scatter_dims &s = from.attrs.scatter;
  put(d->mutable_update_window_dims(), s.update_window_dims);
  put(d->mutable_inserted_window_dims(), s.inserted_window_dims);
  put(d->mutable_scatter_dims_to_operand_dims(),
      s.scatter_dims_to_operand_dims);
  d->set_index_vector_dim(s.index_vector_dim);
  put(d->mutable_input_batching_dims(), s.input_batching_dims);
  put(d->mutable_scatter_indices_batching_dims(),
      s.scatter_indices_batching_dims);
}
void read_scatter(const message &from, attributes &to, const std::string &) {
  const auto &d = from.scatter_dimension_numbers();
  to.scatter = {got(d.update_window_dims()),
                got(d.inserted_window_dims()),
                got(d.scatter_dims_to_operand_dims()),
                d.index_vector_dim(),
                got(d.input_batching_dims()),
                got(d.scatter_indices_batching_dims())};
}

void write_batch_norm(const instruction &from, message &to) {
  to.set_epsilon(static_cast<float>(from.attrs.epsilon));
  to.set_feature_index(from.attrs.feature_index);
}
void read_batch_norm(const message &from, attributes &to, const std::string &) {
  to.epsilon = from.epsilon();
  to.feature_index = from.feature_index();
}

/// XLA's RandomDistribution: 1 and 2.
void write_rng(const instruction &from, message &to) {
  to.set_distribution(static_cast<int>(from.attrs.distribution) + 1);
}
void read_rng(const message &from, attributes &to, const std::string &where) {
  check(from.distribution() == 1 || from.distribution() == 2,
        "distribution must be RNG_UNIFORM or RNG_NORMAL", where);
  to.distribution = from.distribution() == 1 ? random_distribution::uniform
                                             : random_distribution::normal;
}

void write_window(const instruction &from, message &to) {
  auto *window = to.mutable_window();
  for (const window_dim &w : from.attrs.window) {
    auto *d = window->add_dimensions();
    d->set_size(w.size);
    d->set_stride(w.stride);
    d->set_padding_low(w.pad_low);
    d->set_padding_high(w.pad_high);
    d->set_window_dilation(1);
    d->set_base_dilation(1);
  }
}
void read_window(const message &from, attributes &to,
                 const std::string &where) {
  for (const auto &d : from.window().dimensions()) {
    check(d.window_dilation() <= 1 && d.base_dilation() <= 1 &&
              !d.window_reversal(),
          "dilated and reversed windows are not supported", where);
    to.window.push_back(
        {d.size(), d.stride(), d.padding_low(), d.padding_high()});
  }
}

void write_stable(const instruction &from, message &to) {
  to.set_is_stable(from.attrs.is_stable);
}
void read_stable(const message &from, attributes &to, const std::string &) {
  to.is_stable = from.is_stable();
}

void write_composite(const instruction &from, message &to) {
  to.set_is_composite(from.attrs.is_composite);
}
void read_composite(const message &from, attributes &to, const std::string &) {
  to.is_composite = from.is_composite();
}

/// Sorted by operation.
constexpr field_rule rules[] = {
    {op::parameter, write_parameter, read_parameter},
    dimensions(op::iota),
    {op::compare, write_compare, read_compare},
    dimensions(op::broadcast),
    dimensions(op::concatenate),
    {op::dynamic_slice, write_dynamic_slice, read_dynamic_slice},
    {op::gather, write_gather, read_gather},
    {op::pad, write_pad, read_pad},
    dimensions(op::reverse),
    {op::scatter, write_scatter, read_scatter},
    {op::slice, write_slice, read_slice},
    dimensions(op::transpose),
    {op::batch_norm_training, write_batch_norm, read_batch_norm},
    {op::dot, write_dot, read_dot},
    dimensions(op::reduce),
    {op::reduce_window, write_window, read_window},
    {op::rng, write_rng, read_rng},
    dimensions(op::sort),
    {op::sort, write_stable, read_stable},
    {op::call, write_composite, read_composite},
    {op::get_tuple_element, write_tuple_index, read_tuple_index},
    dimensions(op::all_gather),
    {op::all_gather, write_groups, read_groups},
    {op::all_reduce, write_groups, read_groups},
    dimensions(op::all_to_all),
    {op::all_to_all, write_groups, read_groups},
    dimensions(op::reduce_scatter),
    {op::reduce_scatter, write_groups, read_groups},
};

static_assert(std::is_sorted(std::begin(rules), std::end(rules),
                             [](const auto &a, const auto &b) {
                               return a.op < b.op;
                             }));

void read_frontend(const message &from, attributes &to,
                   const std::string &where) {
  for (const auto &entry : from.frontend_attributes().map())
    check(to.frontend.emplace(entry.key(), entry.value()).second,
          "a frontend attribute is given twice", where);
}

} // namespace

void write_attributes(const instruction &from, message &to) {
  for (const field_rule &rule : rules)
    if (rule.op == from.op)
      rule.write(from, to);
  for (const auto &[key, value] : from.attrs.frontend) {
    auto *entry = to.mutable_frontend_attributes()->add_map();
    entry->set_key(key);
    entry->set_value(value);
  }
}

void read_attributes(opcode o, const message &from, attributes &to,
                     const std::string &where) {
  for (const field_rule &rule : rules)
    if (rule.op == o)
      rule.read(from, to, where);
  read_frontend(from, to, where);
  check(!from.has_sharding() || from.sharding().type() == 0,
        "only replicated sharding is accepted", where);
}

std::vector<computation *> in_wire_order(opcode o,
                                         std::vector<computation *> called) {
  if (o == op::while_)
    std::reverse(called.begin(), called.end());
  return called;
}

} // namespace ganglion::hlo::wire

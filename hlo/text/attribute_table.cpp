#include "hlo/text/attribute_table.hpp"

#include "hlo/text/attribute_values.hpp"
#include "hlo/text/number_text.hpp"

#include <algorithm>

namespace ganglion::hlo::text {

namespace {

using op = opcode;

// A path of members: <&attributes::dot, &dot_dims::lhs_batch>.
template <auto... Path>
auto &member(attributes &a) {
  return (a.*....*Path);
}
template <auto... Path>
const auto &member(const attributes &a) {
  return (a.*....*Path);
}

template <auto... Path>
constexpr attribute_rule list(op o, std::string_view name,
                              bool required = true) {
  return {o, name,
          [](std::string &out, const instruction &i) {
            append_list(out, member<Path...>(i.attrs));
            return true;
          },
          [](lexer &in, const module &, attributes &to) {
            member<Path...>(to) = read_list(in);
          },
          required};
}

/// A list that is left out when it is empty.
template <auto... Path>
constexpr attribute_rule optional_list(op o, std::string_view name) {
  attribute_rule rule = list<Path...>(o, name, false);
  rule.append = [](std::string &out, const instruction &i) {
    append_list(out, member<Path...>(i.attrs));
    return !member<Path...>(i.attrs).empty();
  };
  return rule;
}

template <auto... Path>
constexpr attribute_rule number(op o, std::string_view name) {
  return {o, name,
          [](std::string &out, const instruction &i) {
            out += std::to_string(member<Path...>(i.attrs));
            return true;
          },
          [](lexer &in, const module &, attributes &to) {
            member<Path...>(to) = in.integer();
          },
          true};
}

template <auto Flag>
constexpr attribute_rule flag(op o, std::string_view name) {
  return {o, name,
          [](std::string &out, const instruction &i) {
            out += "true";
            return i.attrs.*Flag;
          },
          [](lexer &in, const module &, attributes &to) {
            to.*Flag = in.boolean();
          },
          false};
}

/// A value with functions of its own to write and read it.
template <auto Member, auto Append, auto Read>
constexpr attribute_rule structured(op o, std::string_view name) {
  return {
      o, name,
      [](std::string &out, const instruction &i) {
        Append(out, i.attrs.*Member);
        return true;
      },
      [](lexer &in, const module &, attributes &to) { to.*Member = Read(in); },
      true};
}

computation *read_computation(lexer &in, const module &owner) {
  const std::size_t place = in.place();
  const std::string name(in.value_name());
  computation *found = owner.find_computation(name);
  if (!found)
    in.fail_at(place, "computation '" + name + "' is not defined before");
  return found;
}

template <std::size_t Slot>
constexpr attribute_rule callee(op o, std::string_view name) {
  return {o, name,
          [](std::string &out, const instruction &i) {
            if (Slot >= i.attrs.called.size())
              return false;
            out += "%" + i.attrs.called[Slot]->name();
            return true;
          },
          [](lexer &in, const module &owner, attributes &to) {
            if (to.called.size() <= Slot)
              to.called.resize(Slot + 1);
            to.called[Slot] = read_computation(in, owner);
          },
          true};
}

bool selects_by_pred(const instruction &i) {
  return i.attrs.called.size() == 2 && !i.operands.empty() &&
         i.operands[0]->form.type == element_type::pred;
}

/// XLA names the branches when a pred selects them, and lists them otherwise.
template <std::size_t Slot>
constexpr attribute_rule pred_branch(std::string_view name) {
  attribute_rule rule = callee<Slot>(op::conditional, name);
  rule.append = [](std::string &out, const instruction &i) {
    return selects_by_pred(i) &&
           callee<Slot>(op::conditional, {}).append(out, i);
  };
  rule.required = false;
  return rule;
}

bool append_branches(std::string &out, const instruction &i) {
  for (const computation *c : i.attrs.called)
    out += (out.back() == '=' ? "{%" : ", %") + c->name();
  out += '}';
  return !selects_by_pred(i);
}

void read_branches(lexer &in, const module &owner, attributes &to) {
  in.expect("{");
  do
    to.called.push_back(read_computation(in, owner));
  while (in.accept(","));
  in.expect("}");
}

bool append_direction(std::string &out, const instruction &i) {
  out += to_string(i.attrs.direction);
  return true;
}

void read_direction(lexer &in, const module &, attributes &to) {
  const std::size_t place = in.place();
  const auto direction = comparison_from(in.name());
  if (!direction)
    in.fail_at(place, "direction must be EQ, NE, GE, GT, LE or LT");
  to.direction = *direction;
}

bool never(std::string &, const instruction &) { return false; }

bool append_comparison_type(std::string &out, const instruction &i) {
  out += "TOTALORDER";
  return i.attrs.total_order;
}

/// Operands compare by their own type, or all in one order.
void read_comparison_type(lexer &in, const module &, attributes &to) {
  const std::size_t place = in.place();
  const std::string_view type = in.name();
  to.total_order = type == "TOTALORDER";
  if (!to.total_order && type != "FLOAT" && type != "SIGNED" &&
      type != "UNSIGNED")
    in.fail_at(place, "comparison type must be FLOAT, TOTALORDER, SIGNED or "
                      "UNSIGNED");
}

bool append_slice_bounds(std::string &out, const instruction &i) {
  append_slice(out, i.attrs);
  return true;
}

void read_slice_bounds(lexer &in, const module &, attributes &to) {
  read_slice(in, to);
}

bool append_pads(std::string &out, const instruction &i) {
  append_padding(out, i.attrs.padding);
  return !i.attrs.padding.empty();
}

void read_pads(lexer &in, const module &, attributes &to) {
  to.padding = read_padding(in);
}

bool append_epsilon(std::string &out, const instruction &i) {
  append_element(out,
                 literal::scalar(element_type::f32, i.attrs.epsilon).view(), 0);
  return true;
}

void read_epsilon(lexer &in, const module &, attributes &to) {
  const std::size_t place = in.place();
  const literal value(scalar_shape(element_type::f32));
  if (!read_element(in.number(), value.view(), 0))
    in.fail_at(place, "epsilon is not a number");
  to.epsilon = value.real(0);
}

constexpr std::string_view distributions[] = {"rng_uniform", "rng_normal"};

bool append_distribution(std::string &out, const instruction &i) {
  out += distributions[static_cast<int>(i.attrs.distribution)];
  return true;
}

void read_distribution(lexer &in, const module &, attributes &to) {
  const std::size_t place = in.place();
  const std::string_view name = in.name();
  if (name != distributions[0] && name != distributions[1])
    in.fail_at(place, "distribution must be rng_uniform or rng_normal");
  to.distribution = name == distributions[0] ? random_distribution::uniform
                                             : random_distribution::normal;
}

bool append_iota_dimension(std::string &out, const instruction &i) {
  out += std::to_string(i.attrs.dimensions.at(0));
  return true;
}

void read_iota_dimension(lexer &in, const module &, attributes &to) {
  to.dimensions = {in.integer()};
}

/// Says, as XLA needs to hear, that replica groups hold partition numbers;
/// where there are none, XLA wants nothing said.
bool append_global_ids(std::string &out, const instruction &i) {
  out += "true";
  return !i.attrs.replica_groups.empty();
}

void read_global_ids(lexer &in, const module &, attributes &) {
  const std::size_t place = in.place();
  if (!in.boolean())
    in.fail_at(place, "replica groups must hold global device ids");
}

constexpr attribute_rule global_ids(op o) {
  return {o, "use_global_device_ids", append_global_ids, read_global_ids,
          false};
}

/// Gather and scatter hints that allow speed and forbid nothing.
void read_hint(lexer &in, const module &, attributes &) { in.boolean(); }

constexpr attribute_rule hint(op o, std::string_view name) {
  return {o, name, never, read_hint, false};
}

/// Every precision is met: products are exact in the accumulator's type.
void read_precision(lexer &in, const module &, attributes &) { in.braced(); }

constexpr auto channel = number<&attributes::channel_id>;
constexpr auto dimensions = list<&attributes::dimensions>;
constexpr auto groups =
    structured<&attributes::replica_groups, append_groups, read_groups>;
constexpr auto to_apply = callee<0>;

#define IN_DOT(field) &attributes::dot, &dot_dims::field
#define IN_GATHER(field) &attributes::gather, &gather_dims::field
#define IN_SCATTER(field) &attributes::scatter, &scatter_dims::field

/// Sorted by operation.
constexpr attribute_rule rules[] = {
    {op::iota, "iota_dimension", append_iota_dimension, read_iota_dimension,
     true},
    {op::compare, "direction", append_direction, read_direction, true},
    {op::compare, "type", append_comparison_type, read_comparison_type, false},
    dimensions(op::broadcast, "dimensions", false),
    dimensions(op::concatenate, "dimensions", true),
    list<&attributes::dynamic_slice_sizes>(op::dynamic_slice,
                                           "dynamic_slice_sizes"),
    list<IN_GATHER(offset_dims)>(op::gather, "offset_dims"),
    list<IN_GATHER(collapsed_slice_dims)>(op::gather, "collapsed_slice_dims"),
    list<IN_GATHER(start_index_map)>(op::gather, "start_index_map"),
    number<IN_GATHER(index_vector_dim)>(op::gather, "index_vector_dim"),
    list<IN_GATHER(slice_sizes)>(op::gather, "slice_sizes"),
    optional_list<IN_GATHER(operand_batching_dims)>(op::gather,
                                                    "operand_batching_dims"),
    optional_list<IN_GATHER(start_indices_batching_dims)>(
        op::gather, "start_indices_batching_dims"),
    hint(op::gather, "indices_are_sorted"),
    {op::pad, "padding", append_pads, read_pads, false},
    dimensions(op::reverse, "dimensions", true),
    list<IN_SCATTER(update_window_dims)>(op::scatter, "update_window_dims"),
    list<IN_SCATTER(inserted_window_dims)>(op::scatter, "inserted_window_dims"),
    list<IN_SCATTER(scatter_dims_to_operand_dims)>(
        op::scatter, "scatter_dims_to_operand_dims"),
    number<IN_SCATTER(index_vector_dim)>(op::scatter, "index_vector_dim"),
    optional_list<IN_SCATTER(input_batching_dims)>(op::scatter,
                                                   "input_batching_dims"),
    optional_list<IN_SCATTER(scatter_indices_batching_dims)>(
        op::scatter, "scatter_indices_batching_dims"),
    hint(op::scatter, "indices_are_sorted"),
    hint(op::scatter, "unique_indices"),
    to_apply(op::scatter, "to_apply"),
    {op::slice, "slice", append_slice_bounds, read_slice_bounds, true},
    dimensions(op::transpose, "dimensions", true),
    {op::batch_norm_training, "epsilon", append_epsilon, read_epsilon, true},
    number<&attributes::feature_index>(op::batch_norm_training,
                                       "feature_index"),
    optional_list<IN_DOT(lhs_batch)>(op::dot, "lhs_batch_dims"),
    optional_list<IN_DOT(lhs_contracting)>(op::dot, "lhs_contracting_dims"),
    optional_list<IN_DOT(rhs_batch)>(op::dot, "rhs_batch_dims"),
    optional_list<IN_DOT(rhs_contracting)>(op::dot, "rhs_contracting_dims"),
    {op::dot, "operand_precision", never, read_precision, false},
    dimensions(op::reduce, "dimensions", true),
    to_apply(op::reduce, "to_apply"),
    structured<&attributes::window, append_window, read_window>(
        op::reduce_window, "window"),
    to_apply(op::reduce_window, "to_apply"),
    {op::rng, "distribution", append_distribution, read_distribution, true},
    dimensions(op::sort, "dimensions", true),
    flag<&attributes::is_stable>(op::sort, "is_stable"),
    to_apply(op::sort, "to_apply"),
    to_apply(op::call, "to_apply"),
    flag<&attributes::is_composite>(op::call, "is_composite"),
    pred_branch<0>("true_computation"),
    pred_branch<1>("false_computation"),
    {op::conditional, "branch_computations", append_branches, read_branches,
     false},
    number<&attributes::tuple_index>(op::get_tuple_element, "index"),
    callee<0>(op::while_, "condition"),
    callee<1>(op::while_, "body"),
    channel(op::all_gather, "channel_id"),
    groups(op::all_gather, "replica_groups"),
    dimensions(op::all_gather, "dimensions", true),
    global_ids(op::all_gather),
    channel(op::all_reduce, "channel_id"),
    groups(op::all_reduce, "replica_groups"),
    global_ids(op::all_reduce),
    to_apply(op::all_reduce, "to_apply"),
    channel(op::all_to_all, "channel_id"),
    groups(op::all_to_all, "replica_groups"),
    dimensions(op::all_to_all, "dimensions", true),
    channel(op::reduce_scatter, "channel_id"),
    groups(op::reduce_scatter, "replica_groups"),
    dimensions(op::reduce_scatter, "dimensions", true),
    global_ids(op::reduce_scatter),
    to_apply(op::reduce_scatter, "to_apply"),
};

#undef IN_DOT
#undef IN_GATHER
#undef IN_SCATTER

struct by_operation {
  constexpr bool operator()(const attribute_rule &a, op b) const {
    return a.op < b;
  }
  constexpr bool operator()(op a, const attribute_rule &b) const {
    return a < b.op;
  }
};

static_assert(std::is_sorted(std::begin(rules), std::end(rules),
                             [](const auto &a, const auto &b) {
                               return a.op < b.op;
                             }));

} // namespace

std::span<const attribute_rule> attribute_rules(opcode o) {
  const auto range =
      std::equal_range(std::begin(rules), std::end(rules), o, by_operation{});
  return {range.first, range.second};
}

bool skip_ignorable(lexer &in, std::string_view name) {
  if (name == "metadata" || name == "statistics" || name == "origin") {
    in.braced();
  } else if (name == "backend_config") {
    if (in.peek("\""))
      in.quoted();
    else
      in.braced();
  } else if (name == "sharding") {
    // Says only how a whole program would be split; ours is split already.
    const std::size_t place = in.place();
    if (in.braced() != "{replicated}")
      in.fail_at(place, "only sharding={replicated} is accepted");
  } else {
    return false;
  }
  return true;
}

} // namespace ganglion::hlo::text

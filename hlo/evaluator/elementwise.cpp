#include "hlo/evaluator/arithmetic.hpp"
#include "hlo/evaluator/elements.hpp"
#include "hlo/evaluator/groups.hpp"

namespace ganglion::hlo {

namespace {

void unary(opcode op, const literal_view &in, const literal_view &out) {
  visit(out.form->type, [&]<class T>(std::type_identity<T>) {
    const T *x = elements<T>(in);
    T *y = elements<T>(out);
    const auto n = out.form->size();
    for (std::int64_t i = 0; i < n; ++i)
      y[i] = store<T>(unary_value(op, load(x[i]), sizeof(T) * 8));
  });
}

// The complement of a pred is logical, not of its 64 bits.
void not_pred(const literal_view &in, const literal_view &out) {
  const auto n = out.form->size();
  for (std::int64_t i = 0; i < n; ++i)
    out.set_integer(i, in.integer(i) == 0);
}

void is_finite(const literal_view &in, const literal_view &out) {
  if (!is_floating(in.form->type))
    refuse_type(opcode::is_finite);
  const auto n = out.form->size();
  for (std::int64_t i = 0; i < n; ++i)
    out.set_integer(i, std::isfinite(in.real(i)));
}

void binary(opcode op, views in, const literal_view &out) {
  visit(out.form->type, [&]<class T>(std::type_identity<T>) {
    const T *x = elements<T>(in[0]), *y = elements<T>(in[1]);
    T *z = elements<T>(out);
    const auto n = out.form->size();
    for (std::int64_t i = 0; i < n; ++i)
      z[i] = store<T>(binary_value(op, load(x[i]), load(y[i]), sizeof(T) * 8));
  });
}

void compare(comparison direction, views in, const literal_view &out) {
  visit(in[0].form->type, [&]<class T>(std::type_identity<T>) {
    const T *x = elements<T>(in[0]), *y = elements<T>(in[1]);
    auto *z = elements<predicate>(out);
    const auto n = out.form->size();
    for (std::int64_t i = 0; i < n; ++i)
      z[i].bits = compare_values(direction, load(x[i]), load(y[i]));
  });
}

void compare_total(comparison direction, views in, const literal_view &out) {
  auto *z = elements<predicate>(out);
  const auto n = out.form->size();
  for (std::int64_t i = 0; i < n; ++i)
    z[i].bits = compare_values(direction, total_order_of(in[0].real(i)),
                               total_order_of(in[1].real(i)));
}

// The bounds are scalars or of the operand's shape.
void clamp(views in, const literal_view &out) {
  const std::int64_t low_step = in[0].form->rank() > 0;
  const std::int64_t high_step = in[2].form->rank() > 0;
  visit(out.form->type, [&]<class T>(std::type_identity<T>) {
    const T *low = elements<T>(in[0]), *x = elements<T>(in[1]),
            *high = elements<T>(in[2]);
    T *y = elements<T>(out);
    const auto n = out.form->size();
    for (std::int64_t i = 0; i < n; ++i) {
      const auto raised = binary_value(opcode::maximum, load(x[i]),
                                       load(low[i * low_step]), sizeof(T) * 8);
      y[i] = store<T>(binary_value(opcode::minimum, raised,
                                   load(high[i * high_step]), sizeof(T) * 8));
    }
  });
}

void select(views in, const literal_view &out) {
  const auto *which = elements<predicate>(in[0]);
  visit(out.form->type, [&]<class T>(std::type_identity<T>) {
    const T *on_true = elements<T>(in[1]), *on_false = elements<T>(in[2]);
    T *y = elements<T>(out);
    const auto n = out.form->size();
    for (std::int64_t i = 0; i < n; ++i)
      y[i] = which[i].bits ? on_true[i] : on_false[i];
  });
}

template <class To, class C>
To converted(C value) {
  if constexpr (std::is_same_v<C, double> == is_real<To>)
    return store<To>(static_cast<compute_type<To>>(value));
  else if constexpr (std::is_same_v<To, predicate>)
    return {static_cast<std::uint8_t>(value != 0)};
  else if constexpr (std::is_same_v<C, double>)
    return saturated<To>(value);
  else if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(value);
  else
    return store<To>(sticky_double(value));
}

} // namespace

void evaluate_convert(views in, literal_view out) {
  const auto n = out.form->size();
  visit(in[0].form->type, [&]<class From>(std::type_identity<From>) {
    visit(out.form->type, [&]<class To>(std::type_identity<To>) {
      const From *x = elements<From>(in[0]);
      To *y = elements<To>(out);
      for (std::int64_t i = 0; i < n; ++i)
        y[i] = converted<To>(load(x[i]));
    });
  });
}

void evaluate_elementwise(const instruction &i, views in, literal_view out) {
  switch (i.op) {
  case opcode::compare:
    if (i.attrs.total_order && is_floating(in[0].form->type))
      return compare_total(i.attrs.direction, in, out);
    return compare(i.attrs.direction, in, out);
  case opcode::clamp:
    return clamp(in, out);
  case opcode::select:
    return select(in, out);
  case opcode::is_finite:
    return is_finite(in[0], out);
  case opcode::not_:
    if (out.form->type == element_type::pred)
      return not_pred(in[0], out);
    break;
  default:
    break;
  }
  if (in.size() == 1)
    unary(i.op, in[0], out);
  else
    binary(i.op, in, out);
}

} // namespace ganglion::hlo

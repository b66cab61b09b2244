#include "hlo/evaluator/elements.hpp"
#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/strided.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

using offsets = std::vector<std::int64_t>;

/// Element offsets of every index over `dimensions` of an array, row-major in
/// the order given.
offsets offsets_over(const shape &array, const dims &dimensions) {
  const numbers strides = dense_strides(array.dimensions);
  numbers size{}, stride{};
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    size[k] = array.dim(dimensions[k]);
    stride[k] = strides[dimensions[k]];
  }
  offsets out;
  for_each_index(dimensions.size(), size, [&](const numbers &index) {
    out.push_back(offset_of(dimensions.size(), index, stride));
  });
  return out;
}

dims free_dimensions(const shape &array, const dims &batch,
                     const dims &contracting) {
  dims out;
  for (std::int64_t d = 0; d < array.rank(); ++d)
    if (std::find(batch.begin(), batch.end(), d) == batch.end() &&
        std::find(contracting.begin(), contracting.end(), d) ==
            contracting.end())
      out.push_back(d);
  return out;
}

/// Offsets of one operand: per batch, per free index, per contracted index.
struct side {
  offsets batch, free, contracted;

  side(const shape &array, const dims &batch_dims, const dims &contracting)
      : batch(offsets_over(array, batch_dims)),
        free(offsets_over(array,
                          free_dimensions(array, batch_dims, contracting))),
        contracted(offsets_over(array, contracting)) {}
};

template <class T>
compute_type<T> contract(const T *x, const offsets &at_x, const T *y,
                         const offsets &at_y) {
  compute_type<T> sum = 0;
  for (std::size_t k = 0; k < at_x.size(); ++k) {
    if constexpr (is_real<T>)
      sum += load(x[at_x[k]]) * load(y[at_y[k]]);
    else // unsigned arithmetic: signed overflow would be undefined
      sum = static_cast<compute_type<T>>(
          static_cast<std::uint64_t>(sum) +
          static_cast<std::uint64_t>(load(x[at_x[k]])) *
              static_cast<std::uint64_t>(load(y[at_y[k]])));
  }
  return sum;
}

template <class C>
void write(const literal_view &out, std::int64_t i, C value) {
  if constexpr (std::is_same_v<C, double>)
    out.set_real(i, value);
  else
    out.set_integer(i, static_cast<std::int64_t>(value));
}

} // namespace

void evaluate_dot(const instruction &i, views in, literal_view out) {
  const dot_dims &n = i.attrs.dot;
  const side left(*in[0].form, n.lhs_batch, n.lhs_contracting);
  const side right(*in[1].form, n.rhs_batch, n.rhs_contracting);
  visit(in[0].form->type, [&]<class T>(std::type_identity<T>) {
    std::int64_t written = 0;
    for (std::size_t b = 0; b < left.batch.size(); ++b)
      for (const auto l : left.free)
        for (const auto r : right.free)
          write(out, written++,
                contract(
                    elements<T>(in[0]) + left.batch[b] + l, left.contracted,
                    elements<T>(in[1]) + right.batch[b] + r, right.contracted));
  });
}

} // namespace ganglion::hlo

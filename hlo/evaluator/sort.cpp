#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/scalar_function.hpp"
#include "hlo/evaluator/strided.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

/// One line of the sorted dimension: `count` elements, `stride` apart.
struct line {
  std::int64_t offset = 0, stride = 1, count = 0;
};

/// Whether position `a` of a line goes before position `b`.
class comparator {
public:
  comparator(const computation &c, views in) : function_(c), in_(in) {
    bool fits = function_.argument_count() == 2 * in.size() &&
                function_.result_count() == 1 &&
                function_.result(0).form->type == element_type::pred;
    for (std::size_t k = 0; fits && k < 2 * in.size(); ++k)
      fits = function_.argument(k).form->type == in[k / 2].form->type;
    if (!fits)
      throw error(error_code::invalid_argument,
                  "a comparator takes two scalars per operand and gives pred",
                  "sort", c.name());
  }

  bool operator()(const line &l, std::int64_t a, std::int64_t b) const {
    for (std::size_t k = 0; k < in_.size(); ++k) {
      copy_element(in_[k], l.offset + a * l.stride, function_.argument(2 * k),
                   0);
      copy_element(in_[k], l.offset + b * l.stride,
                   function_.argument(2 * k + 1), 0);
    }
    function_.run();
    return function_.result(0).integer(0) != 0;
  }

private:
  scalar_function function_;
  views in_;
};

/// A stable merge sort of positions. Ours, because a comparator that is no
/// order (NaNs) is undefined behaviour in the standard library.
void sort_positions(const line &l, const comparator &before,
                    std::vector<std::int64_t> &order,
                    std::vector<std::int64_t> &spare) {
  const auto n = l.count;
  for (std::int64_t k = 0; k < n; ++k)
    order[k] = k;
  for (std::int64_t width = 1; width < n; width *= 2) {
    for (std::int64_t low = 0; low < n; low += 2 * width) {
      const auto middle = std::min(low + width, n);
      const auto high = std::min(low + 2 * width, n);
      auto a = low, b = middle;
      for (auto k = low; k < high; ++k) {
        const bool right =
            a == middle || (b < high && before(l, order[b], order[a]));
        spare[k] = order[right ? b++ : a++];
      }
    }
    order.swap(spare);
  }
}

} // namespace

void evaluate_sort(const instruction &i, views in, views outs) {
  const shape &form = *in[0].form;
  const auto dimension = static_cast<std::size_t>(i.attrs.dimensions.at(0));
  const numbers strides = dense_strides(form.dimensions);
  line l{0, strides[dimension], form.dimensions[dimension]};
  box lines = box_of(form.dimensions);
  lines.size[dimension] = std::min<std::int64_t>(l.count, 1);
  const comparator before(*i.attrs.called.at(0), in);
  std::vector<std::int64_t> order(static_cast<std::size_t>(l.count));
  std::vector<std::int64_t> spare(order.size());
  for_each_index(lines.rank, lines.size, [&](const numbers &index) {
    l.offset = offset_of(lines.rank, index, strides);
    sort_positions(l, before, order, spare);
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::int64_t p = 0; p < l.count; ++p)
        copy_element(in[k], l.offset + order[p] * l.stride, outs[k],
                     l.offset + p * l.stride);
  });
}

} // namespace ganglion::hlo

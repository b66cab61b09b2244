#include "hlo/evaluator/accumulator.hpp"
#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/strided.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

/// A subset of an array's dimensions, with sizes and strides.
struct axes {
  std::size_t rank = 0;
  numbers size{}, stride{};

  void add(std::int64_t n, std::int64_t step) {
    size[rank] = n;
    stride[rank++] = step;
  }
};

} // namespace

void evaluate_reduce(const instruction &i, views in, views outs) {
  const views arrays = in.subspan(0, outs.size());
  const views initial = in.subspan(outs.size());
  const dims &sizes = arrays[0].form->dimensions, &reduced = i.attrs.dimensions;
  const numbers strides = dense_strides(sizes);
  axes kept, summed;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const bool away = std::find(reduced.begin(), reduced.end(),
                                static_cast<std::int64_t>(d)) != reduced.end();
    (away ? summed : kept).add(sizes[d], strides[d]);
  }
  accumulator sum(*i.attrs.called.at(0), arrays);
  std::int64_t written = 0;
  for_each_index(kept.rank, kept.size, [&](const numbers &at) {
    const auto base = offset_of(kept.rank, at, kept.stride);
    sum.begin(initial, 0);
    for_each_index(summed.rank, summed.size, [&](const numbers &index) {
      sum.take(arrays, base + offset_of(summed.rank, index, summed.stride));
    });
    sum.write(outs, written++);
  });
}

void evaluate_reduce_window(const instruction &i, views in, literal_view out) {
  const auto &window = i.attrs.window;
  const std::size_t rank = window.size();
  const box whole = box_of(in[0].form->dimensions);
  const numbers strides = dense_strides(in[0].form->dimensions);
  numbers size{};
  for (std::size_t d = 0; d < rank; ++d)
    size[d] = window[d].size;
  accumulator sum(*i.attrs.called.at(0), in.subspan(0, 1));
  std::int64_t written = 0;
  for_each_index(rank, box_of(out.form->dimensions).size,
                 [&](const numbers &at) {
                   sum.begin(in.subspan(1, 1), 0);
                   for_each_index(rank, size, [&](const numbers &index) {
                     std::int64_t offset = 0;
                     for (std::size_t d = 0; d < rank; ++d) {
                       const auto x = at[d] * window[d].stride -
                                      window[d].pad_low + index[d];
                       if (x < 0 || x >= whole.size[d])
                         return; // padding stands for nothing to combine
                       offset += x * strides[d];
                     }
                     sum.take(in.subspan(0, 1), offset);
                   });
                   sum.write({&out, 1}, written++);
                 });
}

} // namespace ganglion::hlo

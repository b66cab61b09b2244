#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/strided.hpp"

#include <cmath>

namespace ganglion::hlo {

namespace {

/// The elements of one feature: everything that shares its index.
class feature_elements {
public:
  feature_elements(const shape &whole, std::size_t dimension)
      : strides_(dense_strides(whole.dimensions)),
        rest_(box_of(whole.dimensions)),
        stride_(strides_[dimension]) {
    rest_.size[dimension] = std::min<std::int64_t>(rest_.size[dimension], 1);
  }

  /// Calls `use` with the position of every element of feature `f`.
  template <class F>
  void for_each(std::int64_t f, F &&use) const {
    for_each_index(rest_.rank, rest_.size, [&](const numbers &index) {
      use(f * stride_ + offset_of(rest_.rank, index, strides_));
    });
  }

private:
  numbers strides_;
  box rest_;
  std::int64_t stride_;
};

} // namespace

void evaluate_batch_norm_training(const instruction &i, views in, views outs) {
  const auto dimension = static_cast<std::size_t>(i.attrs.feature_index);
  const feature_elements elements(*in[0].form, dimension);
  for (std::int64_t f = 0; f < in[0].form->dimensions[dimension]; ++f) {
    double sum = 0, squares = 0;
    std::int64_t count = 0;
    elements.for_each(f, [&](std::int64_t at) {
      sum += in[0].real(at);
      ++count;
    });
    const double mean = sum / static_cast<double>(count);
    elements.for_each(f, [&](std::int64_t at) {
      squares += (in[0].real(at) - mean) * (in[0].real(at) - mean);
    });
    const double variance = squares / static_cast<double>(count);
    const double scale = in[1].real(f) / std::sqrt(variance + i.attrs.epsilon);
    elements.for_each(f, [&](std::int64_t at) {
      outs[0].set_real(at, (in[0].real(at) - mean) * scale + in[2].real(f));
    });
    outs[1].set_real(f, mean);
    outs[2].set_real(f, variance);
  }
}

} // namespace ganglion::hlo

#include "neuron/program_form.hpp"

#include "hlo/composites/views.hpp"

#include <algorithm>
#include <cstring>

namespace ganglion::neuron {

namespace {

/// Dimension i of `to` is dimension order[i] of `from`.
void permute(const std::byte *data, const hlo::dims &from, const hlo::shape &to,
             const hlo::dims &order, std::byte *out) {
  const auto size = byte_size(to.type);
  for (std::int64_t place = 0; place < to.size(); ++place) {
    hlo::dims at(from.size());
    std::int64_t rest = place;
    for (std::size_t i = from.size(); i-- > 0; rest /= to.dimensions[i])
      at[static_cast<std::size_t>(order[i])] = rest % to.dimensions[i];
    std::int64_t source = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
      source = source * from[i] + at[i];
    std::memcpy(out + static_cast<std::size_t>(place) * size,
                data + static_cast<std::size_t>(source) * size, size);
  }
}

/// The matrix of a weight in tiles.
hlo::literal untiled(const hlo::literal &value, const hlo::shape &form) {
  hlo::literal out(form);
  for (std::int64_t n = 0; n < form.dim(0); ++n)
    for (std::int64_t k = 0; k < form.dim(1); ++k)
      out.set_real(n * form.dim(1) + k,
                   value.real(element_place(value.form(), n, k)));
  return out;
}

} // namespace

void to_program_form(const hlo::literal &value,
                     const program_parameter &parameter, std::byte *out) {
  const hlo::shape &form = parameter.form;
  if (!parameter.order.empty())
    return permute(value.bytes().data(), value.form().dimensions, form,
                   parameter.order, out);
  if (parameter.how == packing::row_major) {
    std::copy(value.bytes().begin(), value.bytes().end(), out);
    return;
  }
  if (value.form().rank() > 2)
    return to_program_form(untiled(value, form), parameter, out);
  pack(matrix_source(form.type, value.bytes().data(), matrix_of(form)), form,
       parameter.how, out);
}

hlo::literal from_program_form(const program &code, std::size_t k,
                               const std::byte *data) {
  const auto &place = code.outputs[k];
  hlo::literal out(code.output_shapes[k]);
  const program_parameter *cache = place.where == buffer_ref::place::parameter
                                       ? &code.parameters[place.index]
                                       : nullptr;
  if (cache && !cache->order.empty())
    permute(data, cache->form.dimensions, out.form(),
            hlo::inverse(cache->order), out.bytes().data());
  else
    std::copy_n(data, out.bytes().size(), out.bytes().data());
  return out;
}

} // namespace ganglion::neuron

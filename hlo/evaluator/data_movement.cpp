#include "hlo/evaluator/elements.hpp"
#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/strided.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

void copy_between(const box &b, const literal_view &in,
                  const literal_view &out) {
  copy_box(b, in.data, out.data, byte_size(out.form->type));
}

/// A box that covers `out` and has its strides there.
box covering(const literal_view &out) {
  box b = box_of(out.form->dimensions);
  b.to_stride = dense_strides(out.form->dimensions);
  return b;
}

void broadcast(const dims &map, const literal_view &in,
               const literal_view &out) {
  box b = covering(out);
  const numbers strides = dense_strides(in.form->dimensions);
  for (std::size_t d = 0; d < map.size(); ++d)
    b.from_stride[map[d]] = strides[d];
  copy_between(b, in, out);
}

void transpose(const dims &permutation, const literal_view &in,
               const literal_view &out) {
  box b = covering(out);
  const numbers strides = dense_strides(in.form->dimensions);
  for (std::size_t d = 0; d < permutation.size(); ++d)
    b.from_stride[d] = strides[permutation[d]];
  copy_between(b, in, out);
}

void slice(const attributes &a, const literal_view &in,
           const literal_view &out) {
  box b = covering(out);
  const numbers strides = dense_strides(in.form->dimensions);
  for (std::size_t d = 0; d < b.rank; ++d) {
    b.from_stride[d] = strides[d] * a.slice_strides[d];
    b.from_offset += strides[d] * a.slice_starts[d];
  }
  copy_between(b, in, out);
}

void reverse(const dims &dimensions, const literal_view &in,
             const literal_view &out) {
  box b = covering(out);
  b.from_stride = b.to_stride;
  for (const auto d : dimensions) {
    b.from_offset += (b.size[d] - 1) * b.from_stride[d];
    b.from_stride[d] = -b.from_stride[d];
  }
  copy_between(b, in, out);
}

void concatenate(std::int64_t dimension, views in, const literal_view &out) {
  const numbers strides = dense_strides(out.form->dimensions);
  std::int64_t position = 0;
  for (const auto &part : in) {
    box b = box_of(part.form->dimensions);
    b.from_stride = dense_strides(part.form->dimensions);
    b.to_stride = strides;
    b.to_offset = position * strides[dimension];
    copy_between(b, part, out);
    position += part.form->dim(dimension);
  }
}

/// The part of the operand that lands inside the result along dimension `d`.
void pad_dimension(const padding_dim &p, std::size_t d, std::int64_t result,
                   box &b) {
  const auto step = p.interior + 1;
  const auto first = p.low < 0 ? (-p.low + step - 1) / step : 0;
  const auto room = std::max<std::int64_t>(result - p.low, 0);
  const auto end = std::min(b.size[d], (room + step - 1) / step);
  b.size[d] = end - first;
  b.from_offset += first * b.from_stride[d];
  b.to_offset += (p.low + first * step) * b.to_stride[d];
  b.to_stride[d] *= step;
}

void pad(const attributes &a, views in, const literal_view &out) {
  box fill = covering(out);
  copy_between(fill, in[1], out);
  box b = box_of(in[0].form->dimensions);
  b.from_stride = dense_strides(in[0].form->dimensions);
  b.to_stride = fill.to_stride;
  for (std::size_t d = 0; d < b.rank; ++d)
    pad_dimension(a.padding[d], d, out.form->dimensions[d], b);
  copy_between(b, in[0], out);
}

void iota(std::int64_t dimension, const literal_view &out) {
  const auto stride = dense_strides(out.form->dimensions)[dimension];
  const auto count = out.form->dim(dimension), n = out.form->size();
  for (std::int64_t i = 0; i < n; ++i)
    out.set_integer(i, i / stride % count);
}

} // namespace

void evaluate_movement(const instruction &i, views in, literal_view out) {
  const attributes &a = i.attrs;
  switch (i.op) {
  case opcode::constant:
    require(a.value && a.value->form().bytes() == out.form->bytes(),
            "constant without a value of its shape");
    return copy_array(a.value->view(), out);
  case opcode::iota:
    return iota(a.dimensions.at(0), out);
  case opcode::bitcast_convert:
  case opcode::copy:
  case opcode::reshape:
    return copy_array(in[0], out);
  case opcode::broadcast:
    return broadcast(a.dimensions, in[0], out);
  case opcode::concatenate:
    return concatenate(a.dimensions.at(0), in, out);
  case opcode::pad:
    return pad(a, in, out);
  case opcode::reverse:
    return reverse(a.dimensions, in[0], out);
  case opcode::slice:
    return slice(a, in[0], out);
  case opcode::transpose:
    return transpose(a.dimensions, in[0], out);
  default:
    throw error(error_code::unsupported, "no reference for this operation",
                std::string(to_string(i.op)), i.name);
  }
}

} // namespace ganglion::hlo

// What the bodies of quantised products share.
#pragma once

#include "hlo/composite.hpp"
#include "hlo/composites/activation.hpp"

namespace ganglion::hlo {

inline composite_attributes product_attributes(activation f, element_type out) {
  composite_attributes a;
  a.set("activation", std::string(to_string(f)))
      .set("type", std::string(to_string(out)));
  return a;
}

/// f32 [T, 1] beside every element of `like` [T, N].
inline value along_rows(builder &b, value like, value column) {
  return b.broadcast(b.reshape(column, {column->form.dim(0)}),
                     like->form.dimensions, {0});
}

/// [N] of any type beside every element of `like` [T, N], in f32.
inline value along_columns(builder &b, value like, value vector) {
  return b.broadcast(b.convert(vector, element_type::f32),
                     like->form.dimensions, {1});
}

} // namespace ganglion::hlo

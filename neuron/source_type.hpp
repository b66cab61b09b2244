// The C++ type behind the elements of a weight's source.
#pragma once

#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "neuron/element_run.hpp"
#include "neuron/packing.hpp"

namespace ganglion::neuron {

[[noreturn]] inline void refuse_type(hlo::element_type type,
                                     const char *accepted) {
  throw error(error_code::unsupported, "weights of type " +
                                           std::string(to_string(type)) +
                                           "; accepted: " + accepted);
}

/// Calls f(From{}) for the C++ type behind a floating source.
template <class F>
void with_source(hlo::element_type from, F f) {
  switch (from) {
  case hlo::element_type::f32:
    return f(float{});
  case hlo::element_type::f64:
    return f(double{});
  case hlo::element_type::bf16:
    return f(bfloat16{});
  case hlo::element_type::f16:
    return f(float16{});
  default:
    refuse_type(from, "f32, f64, bf16, f16");
  }
}

/// Calls f(From{}, To{}) for a target that the source can become; `Int8` is
/// how s8 is stored.
template <class Int8, class F>
void with_types(const weight_source &source, hlo::element_type to, F f) {
  if (to == hlo::element_type::s8) {
    if (source.type == hlo::element_type::s8)
      return f(std::int8_t{}, Int8{});
    if (source.scales)
      return with_source(source.type, [&](auto from) { f(from, Int8{}); });
  }
  with_source(source.type, [&](auto from) {
    switch (to) {
    case hlo::element_type::f32:
      return f(from, float{});
    case hlo::element_type::bf16:
      return f(from, bfloat16{});
    case hlo::element_type::f16:
      return f(from, float16{});
    default:
      refuse_type(to, "f32, bf16, f16, and s8 from s8 or with scales");
    }
  });
}

/// Elements along a row of the source, from (row, column) on.
template <class From>
element_run<From> run_of_row(const weight_source &s, std::int64_t row,
                             std::int64_t column) {
  return {s.data + (row * s.row_stride + column * s.column_stride) *
                       std::int64_t{sizeof(From)},
          s.column_stride};
}

/// Elements along a column, from (row, column) on.
template <class From>
element_run<From> run_of_column(const weight_source &s, std::int64_t row,
                                std::int64_t column) {
  return {run_of_row<From>(s, row, column).data, s.row_stride};
}

} // namespace ganglion::neuron

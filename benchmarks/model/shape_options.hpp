// Options that say how large a synthetic model is: a named shape and what
// differs from it.
#pragma once

#include "runtime/checkpoint/synthetic.hpp"
#include "runtime/config/option_values.hpp"

namespace ganglion::benchmarks {

/// Rows shared by all modes that can make a model.
runtime::option_table shape_options();

/// The names of shapes, and the one called `name`. Throws `invalid_argument`
/// for another.
std::vector<std::string_view> shape_names();
runtime::synthetic_spec named_shape(std::string_view name);

/// The spec that the values of `shape_options()` describe. Throws
/// `invalid_argument` naming an unknown shape.
runtime::synthetic_spec shape_of(const runtime::option_values &values);

/// "llama 768 wide, 12 layers, 12 heads, ...".
std::string describe(const runtime::synthetic_spec &spec);

/// The table followed by `more`.
runtime::option_table with_shape_options(runtime::option_table more);

} // namespace ganglion::benchmarks

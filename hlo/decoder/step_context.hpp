// What the pieces of a step graph are built with: the spec, the rank's sizes,
// the parameters, and the small operations that all pieces use.
#pragma once

#include "hlo/composites/int4_linear.hpp"
#include "hlo/decoder/step_parameters.hpp"

namespace ganglion::hlo {

/// Lives for the length of `build_step_graph`. Borrows spec and options.
class step_context {
public:
  step_context(module &graph, const decoder_spec &spec,
               const graph_options &options);

  builder b;
  const decoder_spec &spec;
  const graph_options &options;
  const element_type type; ///< of matmul inputs and caches
  const placement local;
  step_parameters in;
  const std::vector<dims> everybody; ///< the replica group of all ranks

  /// What an operation computes in where its result is rounded to `out`, and
  /// that rounding, if it is still to be done.
  element_type unrounded(element_type out) const {
    return options.form.saturate_infinity ? element_type::f32 : out;
  }
  value rounded(value x, element_type out);

  /// Rows of the stream that a rank keeps.
  std::int64_t stream_rows() const {
    return shares_rows() ? options.rows / local.tp_degree() : options.rows;
  }

  /// Between products ranks may keep a part of the stream's rows each: `x`
  /// [T, H] cut to the rank's, and put together again.
  value own_rows(value x);
  value all_rows(value x);

  /// The model's norm with the weights called `name`, rounded to `out`.
  value norm(const std::string &name, value x, element_type out);
  /// A value of the residual stream as a product takes it: all rows, rounded.
  value product_input(value x);
  /// x W^T + bias with the weights called `name`.
  value project(const std::string &name, value x, activation f,
                element_type out);
  /// The gated pair with the weights called `prefix` + "gate" and "up".
  value gated_pair(const std::string &prefix, value x, activation f,
                   element_type out);
  /// A row-parallel product: the rank's part of the sums.
  value partial_product(const std::string &name, value x);
  /// Partial sums added to the stream: reduced over the ranks, and the bias of
  /// the product called `name`, if any, added once.
  value add_partial(const std::string &name, value hidden, value partial);

private:
  bool shares_rows() const;
  value reduced(value partial);
  /// Sums of a product in f32, as precise as the options want them.
  value accumulated(value sums);
  /// Whether products with a weight of this scale are of quantised rows.
  bool quantises_rows(value scale) const {
    return scale && options.quantize.layers != quantisation::static_int8;
  }
  /// `x` in int8; products of the same rows share it.
  const int8_rows &quantised(value x);
  const grouped_rows &grouped(value x);
  value product(const std::string &name, value x, value bias, activation f,
                element_type out);

  value last_rows_ = nullptr; ///< what `last_quantised_` is made of
  int8_rows last_quantised_{};
  grouped_rows last_grouped_{};
};

} // namespace ganglion::hlo

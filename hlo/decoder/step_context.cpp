#include "hlo/decoder/step_context.hpp"

#include "hlo/composites/norm.hpp"
#include "hlo/composites/rounding.hpp"

namespace ganglion::hlo {

step_context::step_context(module &graph, const decoder_spec &spec_,
                           const graph_options &options_)
    : b(graph, "main"),
      spec(spec_),
      options(options_),
      type(options.type),
      local(spec, options.sharding),
      in(b, spec, options),
      everybody(consecutive_groups(local.tp_degree(), local.tp_degree())) {}

value step_context::rounded(value x, element_type out) {
  return x->form.type == out
             ? x
             : round_rows(b, x, out, options.form.saturate_infinity);
}

bool step_context::shares_rows() const {
  const auto least = options.form.sequence_parallel_threshold;
  return least > 0 && options.rows > least && local.tp_degree() > 1 &&
         options.rows % local.tp_degree() == 0;
}

value step_context::own_rows(value x) {
  if (!shares_rows())
    return x;
  // Part m of the exchange is rank m's copy of the rank's rows.
  return b.slice_in_dim(b.all_to_all(x, 0, everybody), 0, 0,
                        options.rows / local.tp_degree());
}

value step_context::all_rows(value x) {
  return shares_rows() ? b.all_gather(x, 0, everybody) : x;
}

value step_context::norm(const std::string &name, value x, element_type out) {
  const value weight = in.weight(name + ".weight");
  const auto made = unrounded(out);
  if (spec.norm == norm_kind::rms)
    return rounded(rms_norm(b, x, weight, spec.norm_eps, made), out);
  const value bias = in.weight(name + ".bias");
  return rounded(layer_norm(b, x, weight, bias, spec.norm_eps, made), out);
}

value step_context::product_input(value x) {
  return rounded(all_rows(x), type);
}

value step_context::project(const std::string &name, value x, activation f,
                            element_type out) {
  const value y = rounded(
      product(name, x, in.optional_weight(name + ".bias"), f, unrounded(out)),
      out);
  return out == element_type::f32 ? accumulated(y) : y;
}

value step_context::gated_pair(const std::string &prefix, value x, activation f,
                               element_type out) {
  const gated_weights w{in.weight(prefix + "gate.weight"),
                        in.weight(prefix + "up.weight"),
                        in.optional_weight(prefix + "gate.bias"),
                        in.optional_weight(prefix + "up.bias"),
                        in.optional_weight(prefix + "gate.weight_scale"),
                        in.optional_weight(prefix + "up.weight_scale")};
  const auto made = unrounded(out);
  if (!quantises_rows(w.gate_scale))
    return rounded(gated_linear(b, x, w, f, made), out);
  return rounded(is_grouped(w.gate_scale)
                     ? gated_int4_linear(b, grouped(x), w, f, made)
                     : gated_int8_linear(b, quantised(x), w, f, made),
                 out);
}

value step_context::partial_product(const std::string &name, value x) {
  return accumulated(
      product(name, x, nullptr, activation::none, element_type::f32));
}

value step_context::accumulated(value sums) {
  return options.form.mixed_precision_accumulation || type == element_type::f32
             ? sums
             : round_through(b, sums, type);
}

const int8_rows &step_context::quantised(value x) {
  if (x != last_rows_) {
    last_quantised_ = quantise_rows(b, x);
    last_grouped_ = {};
  }
  last_rows_ = x;
  return last_quantised_;
}

const grouped_rows &step_context::grouped(value x) {
  const int8_rows &rows = quantised(x);
  if (!last_grouped_.sums)
    last_grouped_ = group_rows(b, rows, options.quantize.group);
  return last_grouped_;
}

value step_context::product(const std::string &name, value x, value bias,
                            activation f, element_type out) {
  const value weight = in.weight(name + ".weight");
  const value scale = in.optional_weight(name + ".weight_scale");
  if (!quantises_rows(scale))
    return linear(b, x, weight, bias, f, out, scale);
  return is_grouped(scale)
             ? int4_linear(b, grouped(x), weight, scale, bias, f, out)
             : int8_linear(b, quantised(x), weight, scale, bias, f, out);
}

/// The sum over the ranks, of which each takes its rows where rows are shared.
value step_context::reduced(value partial) {
  if (local.tp_degree() == 1)
    return partial;
  if (options.form.all_reduce_type != element_type::f32)
    partial = round_through(b, partial, options.form.all_reduce_type);
  if (shares_rows())
    return b.reduce_scatter(partial, 0, everybody);
  if (options.form.collectives_layout == hidden_layout::bsh)
    return b.all_reduce(partial, everybody);
  const value turned = b.transpose(partial, {1, 0});
  return b.transpose(b.all_reduce(turned, everybody), {1, 0});
}

value step_context::add_partial(const std::string &name, value hidden,
                                value partial) {
  return residual_add(b, hidden, reduced(partial),
                      in.optional_weight(name + ".bias"));
}

} // namespace ganglion::hlo

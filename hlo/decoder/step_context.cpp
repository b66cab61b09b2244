#include "hlo/decoder/step_context.hpp"

#include "hlo/composites/linear.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/rotary.hpp"

namespace ganglion::hlo {

step_context::step_context(module &graph, const decoder_spec &spec_,
                           const graph_options &options)
    : b(graph, "main"),
      spec(spec_),
      type(options.type),
      local(spec, options.sharding),
      in(b, spec, options),
      everybody(consecutive_groups(local.tp_degree(), local.tp_degree())) {}

value step_context::norm(const std::string &name, value x, element_type out) {
  const value weight = in.weight(name + ".weight");
  if (spec.norm == norm_kind::rms)
    return rms_norm(b, x, weight, spec.norm_eps, out);
  return layer_norm(b, x, weight, in.weight(name + ".bias"), spec.norm_eps,
                    out);
}

value step_context::rounded(value x) {
  return type == element_type::f32 ? x : round_rows(b, x, type);
}

value step_context::project(const std::string &name, value x, activation f,
                            element_type out) {
  return linear(b, x, in.weight(name + ".weight"),
                in.optional_weight(name + ".bias"), f, out);
}

value step_context::partial_product(const std::string &name, value x) {
  return linear(b, x, in.weight(name + ".weight"), nullptr, activation::none,
                element_type::f32);
}

value step_context::add_partial(const std::string &name, value hidden,
                                value partial) {
  const value whole =
      local.tp_degree() > 1 ? b.all_reduce(partial, everybody) : partial;
  return residual_add(b, hidden, whole, in.optional_weight(name + ".bias"));
}

} // namespace ganglion::hlo

#include "hlo/decoder/step_graph.hpp"

#include "hlo/composites/embedding.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/linear.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/rotary.hpp"
#include "hlo/decoder/step_parameters.hpp"

#include <cmath>

namespace ganglion::hlo {

namespace {

/// Builds one graph; lives for the length of `build_step_graph`.
class step_graph_builder {
public:
  step_graph_builder(const decoder_spec &spec, const graph_options &options)
      : spec_(spec),
        type_(options.type),
        local_(spec, options.tp_degree),
        graph_(std::make_unique<module>("decoder_step")),
        b_(*graph_, "main"),
        in_(b_, spec, options) {
    graph_->num_partitions = options.tp_degree;
    dims ranks;
    for (std::int64_t r = 0; r < options.tp_degree; ++r)
      ranks.push_back(r);
    groups_ = {ranks};
  }

  step_graph build() {
    value hidden = embed();
    for (std::int64_t i = 0; i < spec_.layers; ++i)
      hidden = layer(i, hidden);
    return finish(head(hidden));
  }

private:
  // --- pieces -----------------------------------------------------------

  value norm(const std::string &name, value x, element_type out) {
    const value weight = in_.weight(name + ".weight");
    if (spec_.norm == norm_kind::rms)
      return rms_norm(b_, x, weight, spec_.norm_eps, out);
    return layer_norm(b_, x, weight, in_.weight(name + ".bias"), spec_.norm_eps,
                      out);
  }

  /// A value of the residual stream as a product takes it.
  value rounded(value x) {
    return type_ == element_type::f32 ? x : round_rows(b_, x, type_);
  }

  value project(const std::string &name, value x, activation f,
                element_type out) {
    return linear(b_, x, in_.weight(name + ".weight"),
                  in_.optional_weight(name + ".bias"), f, out);
  }

  /// A row-parallel product: partial sums are reduced over the ranks.
  value project_back(const std::string &name, value hidden, value x) {
    const value partial = linear(b_, x, in_.weight(name + ".weight"), nullptr,
                                 activation::none, element_type::f32);
    const value whole =
        local_.tp_degree() > 1 ? b_.all_reduce(partial, groups_) : partial;
    return residual_add(b_, hidden, whole, in_.optional_weight(name + ".bias"));
  }

  // --- the model --------------------------------------------------------

  value embed() {
    value hidden = embedding(b_, in_.tokens, in_.weight("embedding.tokens"));
    if (in_.optional_weight("project_in.weight"))
      hidden = project("project_in", rounded(hidden), activation::none,
                       element_type::f32);
    if (spec_.position == position_kind::learned)
      hidden = residual_add(b_, hidden,
                            embedding(b_, in_.attend.positions,
                                      in_.weight("embedding.positions")),
                            nullptr);
    if (spec_.position == position_kind::rotary)
      table_ = rotary_angles();
    return spec_.embedding_norm
               ? norm("embedding_norm", hidden, element_type::f32)
               : hidden;
  }

  value rotary_angles() {
    const auto &f = spec_.rotary.frequencies;
    const value frequencies = b_.constant(
        literal::from_floats({static_cast<std::int64_t>(f.size())}, f));
    return rotary_table(b_, in_.attend.positions, frequencies,
                        spec_.rotary.scale);
  }

  /// Queries or keys: projected, normed, rotated as the model wants it.
  value turned_heads(const std::string &name, value x, std::int64_t heads) {
    value flat = project(name, x, activation::none, element_type::f32);
    if (spec_.query_key_norm)
      flat = head_norm(b_, flat, in_.weight(name + "_norm.weight"),
                       spec_.norm_eps);
    if (spec_.position == position_kind::rotary)
      return rotary(b_, flat, table_, heads, spec_.rotary.pairs, type_);
    return split_heads(b_, flat, heads, type_);
  }

  value attention(std::int64_t i, const std::string &prefix, value x) {
    const value q = turned_heads(prefix + "query", x, local_.heads());
    const value k = turned_heads(prefix + "key", x, local_.kv_heads());
    const value flat =
        project(prefix + "value", x, activation::none, element_type::f32);
    const value v = split_heads(b_, flat, local_.kv_heads(), type_);
    value &keys = in_.caches[2 * i], &values = in_.caches[2 * i + 1];
    keys = write_keys(b_, k, in_.write_slots, keys);
    values = write_values(b_, v, in_.write_slots, values);
    attention_rules rules;
    rules.scale = 1.0 / std::sqrt(double(spec_.head_dim));
    rules.window = spec_.window;
    rules.slopes = in_.optional_weight("alibi_slopes");
    return paged_attention(b_, q, keys, values, in_.attend, rules);
  }

  value mlp(const std::string &prefix, value x) {
    if (spec_.mlp_form == mlp_kind::plain)
      return project(prefix + "up", x, spec_.act, type_);
    const gated_weights w{in_.weight(prefix + "gate.weight"),
                          in_.weight(prefix + "up.weight"),
                          in_.optional_weight(prefix + "gate.bias"),
                          in_.optional_weight(prefix + "up.bias")};
    return gated_linear(b_, x, w, spec_.act, type_);
  }

  /// One branch on the residual stream, with its norm where the model has it.
  template <class Work>
  value branch(const std::string &name, const std::string &back, value hidden,
               Work work) {
    if (spec_.norms == norm_place::after)
      return norm(name, project_back(back, hidden, work(rounded(hidden))),
                  element_type::f32);
    const value x = norm(name, hidden, type_);
    if (spec_.norms == norm_place::before_kept)
      hidden = type_ == element_type::f32
                   ? x
                   : norm(name, hidden, element_type::f32);
    return project_back(back, hidden, work(x));
  }

  value layer(std::int64_t i, value hidden) {
    const std::string prefix = "layers." + std::to_string(i) + ".";
    if (spec_.residual != residual_kind::sequential)
      return parallel_layer(i, prefix, hidden);
    hidden =
        branch(prefix + "attention.norm", prefix + "attention.output", hidden,
               [&](value x) { return attention(i, prefix + "attention.", x); });
    return branch(prefix + "mlp.norm", prefix + "mlp.down", hidden,
                  [&](value x) { return mlp(prefix + "mlp.", x); });
  }

  value parallel_layer(std::int64_t i, const std::string &prefix,
                       value hidden) {
    const value x = norm(prefix + "attention.norm", hidden, type_);
    const value y = spec_.residual == residual_kind::parallel_shared
                        ? x
                        : norm(prefix + "mlp.norm", hidden, type_);
    hidden = project_back(prefix + "attention.output", hidden,
                          attention(i, prefix + "attention.", x));
    return project_back(prefix + "mlp.down", hidden, mlp(prefix + "mlp.", y));
  }

  /// Logits of the wanted rows only, gathered from all ranks.
  value head(value hidden) {
    const value rows = take_rows(b_, in_.logit_rows, hidden);
    value wanted =
        spec_.final_norm ? norm("final_norm", rows, type_) : rounded(rows);
    if (in_.optional_weight("project_out.weight"))
      wanted = project("project_out", wanted, activation::none, type_);
    value logits = project("head", wanted, activation::none, element_type::f32);
    if (local_.tp_degree() > 1)
      logits = b_.all_gather(logits, 1, groups_);
    if (logits->form.dim(1) == spec_.vocabulary)
      return logits;
    return b_.slice_in_dim(logits, 1, 0, spec_.vocabulary);
  }

  step_graph finish(value logits) {
    std::vector<value> outputs{logits};
    outputs.insert(outputs.end(), in_.caches.begin(), in_.caches.end());
    graph_->set_entry(b_.build(b_.tuple(outputs)));
    for (std::size_t i = 0; i < in_.caches.size(); ++i)
      graph_->aliases.push_back(
          {static_cast<std::int64_t>(i) + 1, in_.cache_numbers[i], true});
    return {std::move(graph_), std::move(in_.cache_numbers),
            std::move(in_.weights)};
  }

  const decoder_spec &spec_;
  const element_type type_;
  placement local_;
  std::unique_ptr<module> graph_;
  builder b_;
  step_parameters in_;
  std::vector<dims> groups_;
  value table_ = nullptr;
};

} // namespace

shape key_cache_shape(const decoder_spec &spec, const graph_options &options) {
  const placement local(spec, options.tp_degree);
  return array_shape(options.type, {options.blocks, local.kv_heads(),
                                    spec.head_dim, options.block_positions});
}

shape value_cache_shape(const decoder_spec &spec,
                        const graph_options &options) {
  const placement local(spec, options.tp_degree);
  return array_shape(options.type, {options.blocks, local.kv_heads(),
                                    options.block_positions, spec.head_dim});
}

step_graph build_step_graph(const decoder_spec &spec,
                            const graph_options &options) {
  return step_graph_builder(spec, options).build();
}

} // namespace ganglion::hlo

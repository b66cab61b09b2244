#include "hlo/decoder/step_graph.hpp"

#include "hlo/composites/embedding.hpp"
#include "hlo/composites/linear.hpp"
#include "hlo/composites/rounding.hpp"
#include "hlo/decoder/step_attention.hpp"
#include "hlo/decoder/step_mixture.hpp"

namespace ganglion::hlo {

namespace {

/// Builds one graph; lives for the length of `build_step_graph`.
class step_graph_builder {
public:
  step_graph_builder(const decoder_spec &spec, const graph_options &options)
      : spec_(spec),
        graph_(std::make_unique<module>("decoder_step")),
        c_(*graph_, spec, options),
        b_(c_.b),
        in_(c_.in),
        type_(options.type) {
    graph_->num_partitions = c_.local.tp_degree();
  }

  step_graph build(step_part part) {
    if (part == step_part::whole)
      return finish(head(all_layers(embed(), spec_.layers)), spec_.layers);
    const auto rows = c_.stream_rows();
    stream_ =
        in_.declare_stream(array_shape(element_type::f32, {rows, spec_.hidden}),
                           rows == c_.options.rows);
    const auto unroll = c_.options.form.unroll;
    switch (part) {
    case step_part::inputs:
      graph_->aliases.push_back({0, stream_, true});
      return finish(embed(), 0);
    case step_part::layers:
      graph_->aliases.push_back({0, stream_, true});
      return finish(all_layers(in_.stream, unroll), unroll);
    default:
      return finish(head(in_.stream), 0);
    }
  }

private:
  value all_layers(value hidden, std::int64_t count) {
    angles_ = rotary_angles(c_);
    for (std::int64_t i = 0; i < count; ++i)
      hidden = layer(i, hidden);
    return hidden;
  }

  value embed() {
    value hidden = in_.embedded ? in_.embedded
                                : embedding(b_, in_.tokens,
                                            in_.weight("embedding.tokens"));
    if (in_.optional_weight("project_in.weight"))
      hidden = c_.project("project_in", c_.rounded(hidden, type_),
                          activation::none, element_type::f32);
    if (spec_.position == position_kind::learned)
      hidden = residual_add(
          b_, hidden,
          embedding(b_, in_.positions, in_.weight("embedding.positions")),
          nullptr);
    if (spec_.embedding_norm)
      hidden = c_.norm("embedding_norm", hidden, element_type::f32);
    return c_.own_rows(hidden);
  }

  // What branches make of their input: the rank's part of the sums.

  value attention(std::int64_t i, const std::string &prefix, value x) {
    const bool turned = c_.options.form.attention_layout == hidden_layout::hsb;
    if (turned) // held as [H, T] between the products
      x = b_.transpose(b_.transpose(x, {1, 0}), {1, 0});
    return c_.partial_product(prefix + "output",
                              attention_branch(c_, i, prefix, x, angles_));
  }

  value mlp(const std::string &prefix, value x) {
    if (spec_.mlp_form == mlp_kind::experts)
      return mixture_branch(c_, prefix, x);
    return c_.partial_product(prefix + "down", inner_mlp(prefix, x));
  }

  value inner_mlp(const std::string &prefix, value x) {
    if (spec_.mlp_form == mlp_kind::plain)
      return c_.project(prefix + "up", x, spec_.act, type_);
    return c_.gated_pair(prefix, x, spec_.act, type_);
  }

  /// The stream normed for a product. Rows that ranks share are gathered
  /// before they are rounded.
  value normed(const std::string &name, value hidden) {
    const bool shared = hidden->form.dim(0) != c_.options.rows;
    return shared ? c_.product_input(c_.norm(name, hidden, element_type::f32))
                  : c_.norm(name, hidden, type_);
  }

  /// One branch on the residual stream, with its norm where the model has it.
  template <class Work>
  value branch(const std::string &name, const std::string &back, value hidden,
               Work work) {
    if (spec_.norms == norm_place::after)
      return c_.norm(
          name, c_.add_partial(back, hidden, work(c_.product_input(hidden))),
          element_type::f32);
    const value x = normed(name, hidden);
    if (spec_.norms == norm_place::before_kept)
      hidden = c_.norm(name, hidden, element_type::f32);
    return c_.add_partial(back, hidden, work(x));
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
    const value x = normed(prefix + "attention.norm", hidden);
    const value y = spec_.residual == residual_kind::parallel_shared
                        ? x
                        : normed(prefix + "mlp.norm", hidden);
    hidden = c_.add_partial(prefix + "attention.output", hidden,
                            attention(i, prefix + "attention.", x));
    return c_.add_partial(prefix + "mlp.down", hidden, mlp(prefix + "mlp.", y));
  }

  /// Logits of the wanted rows only, gathered from all ranks.
  value head(value hidden) {
    const value rows = take_rows(b_, in_.logit_rows, c_.all_rows(hidden));
    value wanted = spec_.final_norm ? c_.norm("final_norm", rows, type_)
                                    : c_.rounded(rows, type_);
    if (in_.optional_weight("project_out.weight"))
      wanted = c_.project("project_out", wanted, activation::none, type_);
    value logits =
        c_.project("head", wanted, activation::none, element_type::f32);
    if (c_.options.form.logits_type != element_type::f32)
      logits = round_through(b_, logits, c_.options.form.logits_type);
    if (c_.local.tp_degree() > 1)
      logits = b_.all_gather(logits, 1, c_.everybody);
    if (logits->form.dim(1) == spec_.vocabulary)
      return logits;
    return b_.slice_in_dim(logits, 1, 0, spec_.vocabulary);
  }

  /// A graph of `result`, and the caches of its `layers` layers.
  step_graph finish(value result, std::int64_t layers) {
    std::vector<value> outputs{result};
    const auto each = layer_caches(spec_, c_.options);
    const auto count = static_cast<std::size_t>(layers) * each.size();
    for (std::size_t i = 0; i < count; ++i) {
      graph_->aliases.push_back({static_cast<std::int64_t>(outputs.size()),
                                 in_.cache_numbers[i], true});
      outputs.push_back(
          relaid(b_, in_.caches[i], inverse(each[i % each.size()].order)));
    }
    graph_->set_entry(b_.build(b_.tuple(outputs)));
    return {std::move(graph_), std::move(in_.cache_numbers),
            std::move(in_.weights), std::move(in_.host_embedding), stream_};
  }

  const decoder_spec &spec_;
  std::unique_ptr<module> graph_;
  step_context c_;
  builder &b_;
  step_parameters &in_;
  const element_type type_;
  value angles_ = nullptr;
  std::int64_t stream_ = -1; ///< its parameter, in a part
};

} // namespace

std::vector<cache_parameter> layer_caches(const decoder_spec &spec,
                                          const graph_options &options) {
  const placement local(spec, options.sharding);
  const bool quantised = options.cache == cache_quantisation::s8;
  const bool sbh = options.form.cache_layout == kv_layout::sbh;
  const auto blocks = options.blocks, positions = options.block_positions;
  const dims scales = sbh ? dims{positions, blocks, local.kv_heads()}
                          : dims{blocks, positions, local.kv_heads()};
  dims rows = scales;
  rows.push_back(spec.head_dim);
  const shape form =
      array_shape(quantised ? element_type::s8 : options.type, rows);
  const std::int64_t block = sbh ? 1 : 0, position = sbh ? 0 : 1;
  std::vector<cache_parameter> out = {
      {"key_cache", form, {block, 2, 3, position}},
      {"value_cache", form, {block, 2, position, 3}}};
  if (quantised)
    for (const char *name : {"key_scales", "value_scales"})
      out.push_back(
          {name, array_shape(element_type::f32, scales), {block, 2, position}});
  return out;
}

step_graph build_step_graph(const decoder_spec &spec,
                            const graph_options &options, step_part part) {
  return step_graph_builder(spec, options).build(part);
}

} // namespace ganglion::hlo

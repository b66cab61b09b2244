#include "hlo/decoder/step_graph.hpp"

#include "hlo/builder.hpp"
#include "hlo/composites/embedding.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/linear.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/paged_attention.hpp"
#include "hlo/composites/rotary.hpp"

#include <cmath>
#include <map>

namespace ganglion::hlo {

namespace {

/// Builds one graph; lives for the length of `build_step_graph`.
class step_graph_builder {
public:
  step_graph_builder(const decoder_spec &spec, const graph_options &options)
      : spec_(spec),
        options_(options),
        local_(spec, options.tp_degree),
        graph_(std::make_unique<module>("decoder_step")),
        b_(*graph_, "main") {
    graph_->num_partitions = options.tp_degree;
    dims ranks;
    for (std::int64_t r = 0; r < options.tp_degree; ++r)
      ranks.push_back(r);
    groups_ = {ranks};
  }

  step_graph build() {
    declare_inputs();
    declare_caches();
    declare_weights();
    value hidden = embed();
    for (std::int64_t i = 0; i < spec_.layers; ++i)
      hidden = layer(i, hidden);
    finish(head(hidden));
    return std::move(out_);
  }

private:
  // --- parameters -------------------------------------------------------

  /// Declares the next parameter; `rows` says which live count bounds its
  /// first dimension.
  value declare(shape s, const std::string &name,
                const std::string &rows = {}) {
    const value v = b_.parameter(next_parameter_++, std::move(s), name);
    if (!rows.empty())
      v->attrs.frontend["rows"] = rows;
    return v;
  }

  void declare_inputs() {
    const auto s32 = [](dims d) {
      return array_shape(element_type::s32, std::move(d));
    };
    const auto t = options_.rows, s = options_.slots;
    declare(s32({2}), "live_rows");
    tokens_ = declare(s32({t}), "token_ids", "tokens");
    attend_.positions = declare(s32({t}), "positions", "tokens");
    attend_.row_slots = declare(s32({t}), "row_slots", "tokens");
    write_slots_ = declare(s32({t}), "write_slots", "tokens");
    attend_.block_tables =
        declare(s32({s, options_.max_blocks}), "block_tables");
    attend_.context_lengths = declare(s32({s}), "context_lengths");
    logit_rows_ = declare(s32({options_.logit_rows}), "logit_rows", "logits");
  }

  void declare_caches() {
    for (std::int64_t i = 0; i < spec_.layers; ++i) {
      const std::string suffix = "." + std::to_string(i);
      out_.cache_parameters.push_back(next_parameter_);
      caches_.push_back(
          declare(key_cache_shape(spec_, options_), "key_cache" + suffix));
      out_.cache_parameters.push_back(next_parameter_);
      caches_.push_back(
          declare(value_cache_shape(spec_, options_), "value_cache" + suffix));
    }
  }

  dims local_dims(const weight_parameter &w) const {
    dims d = w.whole;
    switch (w.placed) {
    case split::none:
      break;
    case split::heads:
      d[0] = local_.heads() * spec_.head_dim;
      break;
    case split::kv_heads:
      d[0] = local_.kv_heads() * spec_.head_dim;
      break;
    case split::mlp:
      d[0] = local_.mlp();
      break;
    case split::vocabulary:
      d[0] = local_.vocabulary();
      break;
    case split::heads_in:
      d[1] = local_.heads() * spec_.head_dim;
      break;
    case split::mlp_in:
      d[1] = local_.mlp();
      break;
    }
    return d;
  }

  void declare_weights() {
    out_.weights = decoder_weights(spec_);
    for (const auto &w : out_.weights)
      weights_[w.name] =
          declare(array_shape(options_.type, local_dims(w)), w.name);
  }

  value weight(const std::string &name) const { return weights_.at(name); }

  value optional_weight(const std::string &name) const {
    const auto found = weights_.find(name);
    return found == weights_.end() ? nullptr : found->second;
  }

  // --- the model --------------------------------------------------------

  value embed() {
    value hidden = embedding(b_, tokens_, weight("embedding.tokens"));
    if (spec_.position == position_kind::learned)
      return residual_add(
          b_, hidden,
          embedding(b_, attend_.positions, weight("embedding.positions")),
          nullptr);
    const auto &f = spec_.rotary.frequencies;
    const value frequencies = b_.constant(
        literal::from_floats({static_cast<std::int64_t>(f.size())}, f));
    table_ =
        rotary_table(b_, attend_.positions, frequencies, spec_.rotary.scale);
    return hidden;
  }

  value norm(const std::string &name, value x) {
    if (spec_.norm == norm_kind::rms)
      return rms_norm(b_, x, weight(name + ".weight"), spec_.norm_eps,
                      options_.type);
    return layer_norm(b_, x, weight(name + ".weight"), weight(name + ".bias"),
                      spec_.norm_eps, options_.type);
  }

  value project(const std::string &name, value x, activation f,
                element_type out) {
    return linear(b_, x, weight(name + ".weight"),
                  optional_weight(name + ".bias"), f, out);
  }

  /// A row-parallel product: partial sums are reduced over the ranks.
  value project_back(const std::string &name, value hidden, value x) {
    const value partial = linear(b_, x, weight(name + ".weight"), nullptr,
                                 activation::none, element_type::f32);
    const value whole =
        options_.tp_degree > 1 ? b_.all_reduce(partial, groups_) : partial;
    return residual_add(b_, hidden, whole, optional_weight(name + ".bias"));
  }

  value heads_of(const std::string &name, value x, std::int64_t heads,
                 bool rotated) {
    const value flat = project(name, x, activation::none, element_type::f32);
    return rotated ? rotary(b_, flat, table_, heads, options_.type)
                   : split_heads(b_, flat, heads, options_.type);
  }

  value attention(std::int64_t i, const std::string &prefix, value x) {
    const bool rotated = spec_.position == position_kind::rotary;
    const value q = heads_of(prefix + "query", x, local_.heads(), rotated);
    const value k = heads_of(prefix + "key", x, local_.kv_heads(), rotated);
    const value v = heads_of(prefix + "value", x, local_.kv_heads(), false);
    value &keys = caches_[2 * i], &values = caches_[2 * i + 1];
    keys = write_keys(b_, k, write_slots_, keys);
    values = write_values(b_, v, write_slots_, values);
    return paged_attention(b_, q, keys, values, attend_,
                           1.0 / std::sqrt(double(spec_.head_dim)));
  }

  value mlp(const std::string &prefix, value x) {
    if (spec_.mlp_form == mlp_kind::gated)
      return gated_linear(b_, x, weight(prefix + "gate.weight"),
                          weight(prefix + "up.weight"), spec_.act,
                          options_.type);
    return project(prefix + "up", x, spec_.act, options_.type);
  }

  value layer(std::int64_t i, value hidden) {
    const std::string prefix = "layers." + std::to_string(i) + ".";
    const value context = attention(i, prefix + "attention.",
                                    norm(prefix + "attention.norm", hidden));
    hidden = project_back(prefix + "attention.output", hidden, context);
    const value inner = mlp(prefix + "mlp.", norm(prefix + "mlp.norm", hidden));
    return project_back(prefix + "mlp.down", hidden, inner);
  }

  /// Logits of the wanted rows only, gathered from all ranks.
  value head(value hidden) {
    const value wanted = norm("final_norm", take_rows(b_, logit_rows_, hidden));
    value logits = linear(b_, wanted, weight("head.weight"), nullptr,
                          activation::none, element_type::f32);
    if (options_.tp_degree > 1)
      logits = b_.all_gather(logits, 1, groups_);
    if (logits->form.dim(1) == spec_.vocabulary)
      return logits;
    return b_.slice_in_dim(logits, 1, 0, spec_.vocabulary);
  }

  void finish(value logits) {
    std::vector<value> outputs{logits};
    outputs.insert(outputs.end(), caches_.begin(), caches_.end());
    graph_->set_entry(b_.build(b_.tuple(outputs)));
    for (std::size_t i = 0; i < caches_.size(); ++i)
      graph_->aliases.push_back(
          {static_cast<std::int64_t>(i) + 1, out_.cache_parameters[i], true});
    out_.graph = std::move(graph_);
  }

  const decoder_spec &spec_;
  const graph_options &options_;
  placement local_;
  std::unique_ptr<module> graph_;
  builder b_;
  std::vector<dims> groups_;
  std::int64_t next_parameter_ = 0;
  value tokens_ = nullptr, write_slots_ = nullptr, logit_rows_ = nullptr,
        table_ = nullptr;
  attention_inputs attend_{};
  std::vector<value> caches_;
  std::map<std::string, value> weights_;
  step_graph out_;
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

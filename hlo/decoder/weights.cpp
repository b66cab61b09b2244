#include "hlo/decoder/step_graph.hpp"

namespace ganglion::hlo {

namespace {

std::string expert_prefix(std::int64_t expert) {
  return "experts." + std::to_string(expert) + ".";
}

/// Collects weights; a bias follows its weight.
class weight_list {
public:
  weight_list(const decoder_spec &spec, const weight_quantisation &quantize)
      : spec_(spec),
        quantize_(quantize) {}

  void add(const std::string &name, dims whole, split placed,
           std::vector<float> values = {}) {
    out_.push_back({name, std::move(whole), placed, std::move(values)});
  }

  /// The matrix of a product. Those of layers may be quantised, and the head.
  void matrix(const std::string &name, dims whole, split placed) {
    add(name, whole, placed);
    if (!quantize_.on() || !(name.starts_with("layers.") ||
                             (quantize_.head && name == "head.weight")))
      return;
    const bool experts = name.find(".experts.") != std::string::npos;
    if (quantize_.layers == quantisation::int4 && !experts)
      group(name, whole, placed);
    else
      quantise(name, whole, placed);
  }

  /// Makes the last weight an int8 one.
  void quantise(const std::string &name, const dims &whole, split placed) {
    const bool splits_inputs =
        placed == split::heads_in || placed == split::mlp_in;
    out_.back().form = weight_form::quantised;
    // Scales are of whole rows, so every rank of split inputs has them all.
    add(name + "_scale", {whole[0]}, splits_inputs ? split::none : placed);
    out_.back().form = weight_form::scale;
  }

  /// Makes the last weight an int4 one.
  void group(const std::string &name, const dims &whole, split placed) {
    out_.back().form = weight_form::grouped;
    out_.back().group = quantize_.group;
    add(name + "_scale", whole, placed);
    out_.back().form = weight_form::group_scale;
    out_.back().group = quantize_.group;
  }

  void norm(const std::string &name) {
    add(name + ".weight", {spec_.hidden}, split::none);
    if (spec_.norm == norm_kind::layer)
      add(name + ".bias", {spec_.hidden}, split::none);
  }

  /// A layer whose outputs are split: [outputs, inputs].
  void column(const std::string &name, dims whole, split placed, bool bias) {
    matrix(name + ".weight", whole, placed);
    if (bias)
      add(name + ".bias", {whole[0]}, placed);
  }

  /// A layer whose inputs are split: [hidden, inputs].
  void row(const std::string &name, std::int64_t inputs, split placed,
           bool bias) {
    matrix(name + ".weight", {spec_.hidden, inputs}, placed);
    if (bias)
      add(name + ".bias", {spec_.hidden}, split::none);
  }

  void inputs() {
    const auto width = embedding_width();
    add("embedding.tokens", {spec_.vocabulary, width}, split::none);
    if (width != spec_.hidden)
      add("project_in.weight", {spec_.hidden, width}, split::none);
    if (spec_.position == position_kind::learned)
      add("embedding.positions", {spec_.n_positions, spec_.hidden},
          split::none);
    if (spec_.position == position_kind::alibi)
      add("alibi_slopes", {spec_.heads}, split::per_head, spec_.alibi_slopes);
    if (spec_.embedding_norm)
      norm("embedding_norm");
  }

  void layer(const std::string &prefix) {
    attention(prefix + "attention.");
    if (spec_.residual != residual_kind::parallel_shared)
      norm(prefix + "mlp.norm");
    if (spec_.mlp_form == mlp_kind::experts)
      return experts(prefix + "mlp.");
    const dims up{spec_.mlp, spec_.hidden};
    if (spec_.mlp_form == mlp_kind::gated)
      column(prefix + "mlp.gate", up, split::mlp, spec_.mlp_bias);
    column(prefix + "mlp.up", up, split::mlp, spec_.mlp_bias);
    row(prefix + "mlp.down", spec_.mlp, split::mlp_in, spec_.mlp_bias);
  }

  void outputs() {
    const auto width = embedding_width();
    if (spec_.final_norm)
      norm("final_norm");
    if (width != spec_.hidden)
      add("project_out.weight", {width, spec_.hidden}, split::none);
    column("head", {spec_.vocabulary, width}, split::vocabulary,
           spec_.head_bias);
  }

  std::vector<weight_parameter> finish() { return std::move(out_); }

private:
  std::int64_t embedding_width() const {
    return spec_.embedding_width > 0 ? spec_.embedding_width : spec_.hidden;
  }

  void experts(const std::string &prefix) {
    add(prefix + "router.weight", {spec_.experts, spec_.hidden}, split::none);
    const dims up{spec_.mlp, spec_.hidden};
    for (std::int64_t e = 0; e < spec_.experts; ++e) {
      const auto first = out_.size();
      const std::string name = prefix + expert_prefix(e);
      column(name + "gate", up, split::mlp, false);
      column(name + "up", up, split::mlp, false);
      row(name + "down", spec_.mlp, split::mlp_in, false);
      for (auto i = first; i < out_.size(); ++i)
        out_[i].expert = e;
    }
  }

  void attention(const std::string &prefix) {
    const auto queries = spec_.heads * spec_.head_dim;
    const auto keys = spec_.kv_heads * spec_.head_dim;
    norm(prefix + "norm");
    column(prefix + "query", {queries, spec_.hidden}, split::heads,
           spec_.qkv_bias);
    column(prefix + "key", {keys, spec_.hidden}, split::kv_heads,
           spec_.qkv_bias);
    column(prefix + "value", {keys, spec_.hidden}, split::kv_heads,
           spec_.qkv_bias);
    if (spec_.query_key_norm) {
      add(prefix + "query_norm.weight", {spec_.head_dim}, split::none);
      add(prefix + "key_norm.weight", {spec_.head_dim}, split::none);
    }
    row(prefix + "output", queries, split::heads_in, spec_.output_bias);
  }

  const decoder_spec &spec_;
  const weight_quantisation quantize_;
  std::vector<weight_parameter> out_;
};

} // namespace

std::vector<weight_parameter>
decoder_weights(const decoder_spec &spec, const weight_quantisation &quantize) {
  weight_list list(spec, quantize);
  list.inputs();
  for (std::int64_t i = 0; i < spec.layers; ++i)
    list.layer("layers." + std::to_string(i) + ".");
  list.outputs();
  return list.finish();
}

std::vector<weight_parameter>
weights_of_rank(const decoder_spec &spec, const sharding_options &sharding,
                const weight_quantisation &quantize) {
  auto weights = decoder_weights(spec, quantize);
  if (sharding.experts == expert_sharding::split)
    return weights;
  const placement local(spec, sharding);
  std::erase_if(weights,
                [&](const auto &w) { return w.expert >= local.experts(); });
  for (auto &w : weights)
    if (w.expert >= 0)
      w.placed = split::experts;
  return weights;
}

std::string name_for_expert(const weight_parameter &w, std::int64_t expert) {
  const std::string own = expert_prefix(w.expert);
  std::string name = w.name;
  return name.replace(name.find(own), own.size(), expert_prefix(expert));
}

} // namespace ganglion::hlo

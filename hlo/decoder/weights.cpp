#include "hlo/decoder/step_graph.hpp"

namespace ganglion::hlo {

namespace {

/// Collects weights; a bias follows its weight.
class weight_list {
public:
  explicit weight_list(const decoder_spec &spec) : spec_(spec) {}

  void add(const std::string &name, dims whole, split placed) {
    out_.push_back({name, std::move(whole), placed, 0});
  }

  void norm(const std::string &name) {
    add(name + ".weight", {spec_.hidden}, split::none);
    if (spec_.norm == norm_kind::layer)
      add(name + ".bias", {spec_.hidden}, split::none);
  }

  /// A layer whose outputs are split: [outputs, hidden].
  void column(const std::string &name, std::int64_t outputs, split placed,
              bool bias) {
    add(name + ".weight", {outputs, spec_.hidden}, placed);
    if (bias)
      add(name + ".bias", {outputs}, placed);
  }

  /// A layer whose inputs are split: [hidden, inputs].
  void row(const std::string &name, std::int64_t inputs, split placed,
           bool bias) {
    add(name + ".weight", {spec_.hidden, inputs}, placed);
    if (bias)
      add(name + ".bias", {spec_.hidden}, split::none);
  }

  void layer(const std::string &prefix) {
    const auto queries = spec_.heads * spec_.head_dim;
    const auto keys = spec_.kv_heads * spec_.head_dim;
    norm(prefix + "attention.norm");
    column(prefix + "attention.query", queries, split::heads, spec_.qkv_bias);
    column(prefix + "attention.key", keys, split::kv_heads, spec_.qkv_bias);
    column(prefix + "attention.value", keys, split::kv_heads, spec_.qkv_bias);
    row(prefix + "attention.output", queries, split::heads_in,
        spec_.output_bias);
    norm(prefix + "mlp.norm");
    if (spec_.mlp_form == mlp_kind::gated)
      column(prefix + "mlp.gate", spec_.mlp, split::mlp, false);
    column(prefix + "mlp.up", spec_.mlp, split::mlp, spec_.mlp_bias);
    row(prefix + "mlp.down", spec_.mlp, split::mlp_in, spec_.mlp_bias);
  }

  std::vector<weight_parameter> finish() { return std::move(out_); }

private:
  const decoder_spec &spec_;
  std::vector<weight_parameter> out_;
};

} // namespace

std::vector<weight_parameter> decoder_weights(const decoder_spec &spec) {
  weight_list list(spec);
  list.add("embedding.tokens", {spec.vocabulary, spec.hidden}, split::none);
  if (spec.position == position_kind::learned)
    list.add("embedding.positions", {spec.n_positions, spec.hidden},
             split::none);
  for (std::int64_t i = 0; i < spec.layers; ++i)
    list.layer("layers." + std::to_string(i) + ".");
  list.norm("final_norm");
  list.add("head.weight", {spec.vocabulary, spec.hidden}, split::vocabulary);
  auto weights = list.finish();
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i].parameter_number =
        step_input_count + 2 * spec.layers + static_cast<std::int64_t>(i);
  return weights;
}

} // namespace ganglion::hlo

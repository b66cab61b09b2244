#include "hlo/decoder/step_parameters.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

/// Of the rank's elements of the model's weight.
dims rank_dims(const weight_parameter &w, const placement &local,
               std::int64_t head_dim) {
  dims d = w.whole;
  if (!w.parts.empty()) {
    d[0] = 0;
    for (const auto &part : w.parts)
      d[0] += rank_dims(part, local, head_dim)[0];
    return d;
  }
  switch (w.placed) {
  case split::none:
  case split::experts:
    break;
  case split::heads:
    d[0] = local.heads() * head_dim;
    break;
  case split::per_head:
    d[0] = local.attended_heads();
    break;
  case split::kv_heads:
    d[0] = local.kv_columns();
    break;
  case split::mlp:
    d[0] = local.mlp();
    break;
  case split::vocabulary:
    d[0] = local.vocabulary();
    break;
  case split::heads_in:
    d[1] = local.heads() * head_dim;
    break;
  case split::mlp_in:
    d[1] = local.mlp();
    break;
  }
  return d;
}

bool is_layer_matrix(const weight_parameter &w) {
  return w.name.starts_with("layers.") && w.whole.size() == 2 &&
         !w.name.ends_with("router.weight");
}

/// The parameters of matrices that the form wants cut.
void tile_weights(std::vector<weight_parameter> &weights,
                  const graph_form &form) {
  for (auto &w : weights)
    if (is_layer_matrix(w) && form.qkv_tiling && !w.parts.empty())
      w.tiles = tiling::outputs;
    else if (is_layer_matrix(w) && form.weight_tiling)
      w.tiles = tiling::blocks;
}

} // namespace

dims placed_dims(const weight_parameter &w, const placement &local,
                 std::int64_t head_dim) {
  dims d = rank_dims(w, local, head_dim);
  if (w.form == weight_form::group_scale)
    d[1] = (d[1] + w.group - 1) / w.group;
  return d;
}

step_parameters::step_parameters(builder &b, const decoder_spec &spec,
                                 const graph_options &options)
    : b_(b),
      layers_(spec.layers) {
  declare_inputs(options);
  weights = weights_of_rank(spec, options.sharding, options.quantize);
  if (options.form.fuse_qkv)
    weights = fused_qkv(std::move(weights));
  tile_weights(weights, options.form);
  if (!options.form.on_device_embedding)
    declare_rows(options.rows);
  declare_caches(spec, options);
  declare_weights(spec, options);
}

value step_parameters::optional_weight(const std::string &name) const {
  const auto it = found_.find(name);
  return it == found_.end() ? nullptr : it->second;
}

/// The next parameter; `rows` says which live count bounds its first
/// dimension.
value step_parameters::declare(shape s, const std::string &name,
                               const std::string &rows) {
  const value v = b_.parameter(next_++, std::move(s), name);
  if (!rows.empty())
    v->attrs.frontend["rows"] = rows;
  return v;
}

std::int64_t step_parameters::declare_stream(shape form, bool live_rows_first) {
  stream = declare(std::move(form), "stream", live_rows_first ? "tokens" : "");
  return next_ - 1;
}

void step_parameters::declare_inputs(const graph_options &options) {
  const auto s32 = [](dims d) {
    return array_shape(element_type::s32, std::move(d));
  };
  const auto t = options.rows, s = options.slots;
  declare(s32({2}), "live_rows");
  tokens = declare(s32({t}), "token_ids", "tokens");
  positions = declare(s32({t}), "positions", "tokens");
  rotary_lengths = declare(s32({t}), "rotary_lengths", "tokens");
  attend.row_slots = declare(s32({t}), "row_slots", "tokens");
  write_slots = declare(s32({t}), "write_slots", "tokens");
  attend.last_seen = declare(s32({t}), "last_seen", "tokens");
  attend.block_tables = declare(s32({s, options.max_blocks}), "block_tables");
  attend.context_lengths = declare(s32({s}), "context_lengths");
  logit_rows = declare(s32({options.logit_rows}), "logit_rows", "logits");
}

/// Rows of the embedding instead of the table, which leaves the weights.
void step_parameters::declare_rows(std::int64_t rows) {
  const auto table =
      std::ranges::find(weights, "embedding.tokens", &weight_parameter::name);
  host_embedding = *table;
  weights.erase(table);
  host_embedding->parameter_number = next_;
  embedded =
      declare(array_shape(element_type::f32, {rows, host_embedding->whole[1]}),
              "embedded_tokens", "tokens");
}

void step_parameters::declare_caches(const decoder_spec &spec,
                                     const graph_options &options) {
  for (std::int64_t i = 0; i < spec.layers; ++i) {
    for (auto &[name, form, order] : layer_caches(spec, options)) {
      cache_numbers.push_back(next_);
      const value cache =
          declare(std::move(form), name + "." + std::to_string(i));
      caches.push_back(relaid(b_, cache, order));
    }
  }
}

void step_parameters::declare_weights(const decoder_spec &spec,
                                      const graph_options &options) {
  const placement local(spec, options.sharding);
  for (auto &w : weights) {
    w.parameter_number = next_;
    const dims matrix = placed_dims(w, local, spec.head_dim);
    const value v = declare(
        array_shape(w.type_in(options.type), tiled(w.tiles, matrix)), w.name);
    found_[w.name] = w.tiles == tiling::none ? v : untiled(b_, v, matrix);
  }
}

} // namespace ganglion::hlo

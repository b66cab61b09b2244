#include "hlo/composites/activation.hpp"
#include "neuron/compiler/lowering.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace ganglion::neuron {

namespace {

template <class T>
const T *in(const run_frame &f, buffer_ref ref) {
  return reinterpret_cast<const T *>(f.at(ref));
}

template <class T>
T *out(const run_frame &f, buffer_ref ref) {
  return reinterpret_cast<T *>(f.at(ref));
}

act act_of(const hlo::composite_attributes &a) {
  return static_cast<act>(*hlo::activation_from(a.text("activation")));
}

/// Operand `i` if the call has it, as a place that may be absent.
std::optional<buffer_ref> optional_operand(const lowering &l, std::size_t i) {
  if (i < l.operands())
    return l.operand_ref(i);
  return std::nullopt;
}

const std::byte *at(const run_frame &f, const std::optional<buffer_ref> &ref) {
  return ref ? f.at(*ref) : nullptr;
}

/// Runs a kernel on the live rows of operand 0, with the arguments `a` and what
/// `bind` adds for one run: the places of arrays.
template <class Arguments, class Bind>
kernel_body on_rows(const lowering &l,
                    void (*run)(const Arguments &, work_share), Arguments a,
                    Bind bind) {
  return [=, bound = l.bound, whole = l.operand(0).dim(0)](run_frame &f,
                                                           work_share share) {
    Arguments call = a;
    call.rows = f.rows(bound, whole);
    bind(call, f);
    run(call, share);
  };
}

/// `linear` (x, w, a scale if quantised, optional bias) and `gated_linear`
/// (x, and two of each).
kernel_body lower_product(const lowering &l, bool gated) {
  linear_args a{};
  a.type = a.bias_type = l.operand(0).type;
  a.weight_type = l.operand(1).type;
  a.out_type = l.result().type;
  a.n = l.operand(1).dim(0);
  a.k = l.operand(1).dim(1);
  a.activation = act_of(l.attributes());
  const auto x = l.operand_ref(0), w = l.operand_ref(1), y = l.result_ref();
  constexpr std::size_t none = 7; // no product has so many operands
  const bool scaled = a.weight_type == element_type::s8;
  const std::size_t each = gated ? 2 : 1, scales = 1 + each;
  const std::size_t biases = scaled ? scales + each : scales;
  const auto second = optional_operand(l, gated ? 2 : none);
  const auto scale = optional_operand(l, scaled ? scales : none);
  const auto second_scale =
      optional_operand(l, scaled && gated ? scales + 1 : none);
  const auto bias = optional_operand(l, biases);
  const auto second_bias = optional_operand(l, gated ? biases + 1 : none);
  return on_rows(
      l, l.kernels.linear, a, [=](linear_args &call, const run_frame &f) {
        call.x = f.at(x);
        call.w = f.at(w);
        call.w_gated = at(f, second);
        call.scale = reinterpret_cast<const float *>(at(f, scale));
        call.scale_gated = reinterpret_cast<const float *>(at(f, second_scale));
        call.bias = at(f, bias);
        call.bias_gated = at(f, second_bias);
        call.out = f.at(y);
      });
}

kernel_body lower_linear(const lowering &l) { return lower_product(l, false); }
kernel_body lower_gated(const lowering &l) { return lower_product(l, true); }

/// Norms of whole rows, and `head_norm` of the equal parts that a shorter
/// weight cuts them into.
kernel_body lower_norm(const lowering &l) {
  norm_args a{};
  a.type = l.operand(1).type;
  a.out_type = l.result().type;
  a.width = l.operand(1).dim(0);
  const auto parts = l.operand(0).dim(1) / a.width;
  a.eps = static_cast<float>(l.attributes().real("eps"));
  const auto x = l.operand_ref(0), w = l.operand_ref(1), y = l.result_ref();
  const bool biased = l.operands() > 2;
  const auto bias = biased ? l.operand_ref(2) : buffer_ref{};
  return on_rows(l, l.kernels.norm, a,
                 [=](norm_args &call, const run_frame &f) {
                   call.rows *= parts;
                   call.x = in<float>(f, x);
                   call.weight = f.at(w);
                   call.bias = biased ? f.at(bias) : nullptr;
                   call.out = f.at(y);
                 });
}

/// `rotary` (with a table) and `split_heads` (without).
kernel_body lower_heads(const lowering &l) {
  rotary_args a{};
  a.out_type = l.result().type;
  a.heads = l.result().dim(1);
  a.width = l.operand(0).dim(1) / a.heads;
  const bool rotated = l.operands() > 1;
  a.half = rotated ? l.operand(1).dim(2) : 0;
  a.interleaved = rotated && l.attributes().has("pairs");
  const auto x = l.operand_ref(0), y = l.result_ref();
  const auto table = rotated ? l.operand_ref(1) : buffer_ref{};
  return on_rows(l, l.kernels.rotary, a,
                 [=](rotary_args &call, const run_frame &f) {
                   call.x = in<float>(f, x);
                   call.table = rotated ? in<float>(f, table) : nullptr;
                   call.out = f.at(y);
                 });
}

/// `round_rows` and `round_through`.
kernel_body lower_round(const lowering &l) {
  round_args a{};
  const auto attributes = l.attributes();
  a.type = *hlo::element_type_from(attributes.text("type"));
  a.widened = l.result().type != a.type;
  a.limit = attributes.has("limit")
                ? static_cast<float>(attributes.real("limit"))
                : 0.0f;
  const auto whole = l.operand(0).dim(0);
  a.width = whole > 0 ? l.operand(0).size() / whole : 0;
  const auto x = l.operand_ref(0), y = l.result_ref();
  return on_rows(l, l.kernels.round, a,
                 [=](round_args &call, const run_frame &f) {
                   call.x = in<float>(f, x);
                   call.out = f.at(y);
                 });
}

/// Once per step and row, not per layer: no vector version is worth having.
kernel_body lower_rotary_table(const lowering &l) {
  const auto positions = l.operand_ref(0), frequencies = l.operand_ref(1),
             y = l.result_ref();
  const auto half = l.operand(1).dim(0);
  const auto scale = static_cast<float>(l.attributes().real("scale"));
  return [=, bound = l.bound, whole = l.operand(0).dim(0)](run_frame &f,
                                                           work_share share) {
    const range mine = range_of(f.rows(bound, whole), share);
    for (std::int64_t r = mine.begin; r < mine.end; ++r) {
      const auto position =
          static_cast<float>(in<std::int32_t>(f, positions)[r]);
      float *to = out<float>(f, y) + r * 2 * half;
      for (std::int64_t i = 0; i < half; ++i) {
        const float angle = position * in<float>(f, frequencies)[i];
        to[i] = std::cos(angle) * scale;
        to[half + i] = std::sin(angle) * scale;
      }
    }
  };
}

/// The same with frequencies of each row's own; see dynamic_frequencies.
kernel_body lower_dynamic_rotary_table(const lowering &l) {
  const auto positions = l.operand_ref(0), lengths = l.operand_ref(1),
             y = l.result_ref();
  const auto a = l.attributes();
  const auto half = a.integer("half");
  const auto theta = static_cast<float>(a.real("theta")),
             factor = static_cast<float>(a.real("factor")),
             original = static_cast<float>(a.real("original")),
             d = 2.0f * static_cast<float>(half);
  return [=, bound = l.bound, whole = l.operand(0).dim(0)](run_frame &f,
                                                           work_share share) {
    const range mine = range_of(f.rows(bound, whole), share);
    for (std::int64_t r = mine.begin; r < mine.end; ++r) {
      const auto position =
          static_cast<float>(in<std::int32_t>(f, positions)[r]);
      const float length = std::max(
          static_cast<float>(in<std::int32_t>(f, lengths)[r]), original);
      const float stretched =
          theta *
          std::pow(length * factor / original - (factor - 1), d / (d - 2));
      float *to = out<float>(f, y) + r * 2 * half;
      for (std::int64_t i = 0; i < half; ++i) {
        const float angle =
            position * std::pow(stretched, static_cast<float>(i) * (-2.0f / d));
        to[i] = std::cos(angle);
        to[half + i] = std::sin(angle);
      }
    }
  };
}

kernel_body lower_attention(const lowering &l) {
  attention_args a{};
  a.type = l.operand(0).type;
  a.heads = l.operand(0).dim(1);
  a.width = l.operand(0).dim(2);
  a.kv_heads = l.operand(1).dim(1);
  a.block = l.operand(1).dim(3);
  a.max_blocks = l.operand(5).dim(1);
  a.scale = static_cast<float>(l.attributes().real("scale"));
  a.window =
      l.attributes().has("window") ? l.attributes().integer("window") : 0;
  a.out_type = l.result().type;
  a.part = l.result().dim(1) != a.heads * a.width;
  a.cache = l.operand(1).type;
  const bool scaled = a.cache == element_type::s8;
  constexpr std::size_t none = 10; // attention has no more operands
  const auto key_scales = optional_operand(l, scaled ? 7 : none);
  const auto value_scales = optional_operand(l, scaled ? 8 : none);
  const auto slopes = optional_operand(l, scaled ? 9 : 7);
  const auto query = l.operand_ref(0), keys = l.operand_ref(1),
             values = l.operand_ref(2), positions = l.operand_ref(3),
             slots = l.operand_ref(4), tables = l.operand_ref(5),
             lengths = l.operand_ref(6), y = l.result_ref();
  return on_rows(
      l, l.kernels.attention, a, [=](attention_args &call, const run_frame &f) {
        call.query = f.at(query);
        call.keys = f.at(keys);
        call.values = f.at(values);
        call.positions = in<std::int32_t>(f, positions);
        call.row_slots = in<std::int32_t>(f, slots);
        call.block_tables = in<std::int32_t>(f, tables);
        call.context_lengths = in<std::int32_t>(f, lengths);
        call.key_scales = reinterpret_cast<const float *>(at(f, key_scales));
        call.value_scales =
            reinterpret_cast<const float *>(at(f, value_scales));
        call.slopes = slopes ? in<float>(f, *slopes) : nullptr;
        call.out = f.at(y);
      });
}

kernel_body lower_attention_merge(const lowering &l) {
  merge_args a{};
  const auto attributes = l.attributes();
  a.heads = attributes.integer("heads");
  a.count = attributes.integer("parts");
  a.width = l.result().dim(1) / a.heads;
  a.out_type = l.result().type;
  const auto parts = l.operand_ref(0), y = l.result_ref();
  return on_rows(l, l.kernels.merge, a,
                 [=](merge_args &call, const run_frame &f) {
                   call.parts = in<float>(f, parts);
                   call.out = f.at(y);
                 });
}

/// Dimension `positions` of the cache is that of a block's positions.
kernel_body lower_cache_write(const lowering &l, std::size_t positions,
                              void (*run)(const cache_write_args &,
                                          work_share)) {
  cache_write_args a{};
  a.type = l.operand(0).type;
  a.cache_type = l.operand(2).type;
  a.kv_heads = l.operand(0).dim(1);
  a.width = l.operand(0).dim(2);
  a.blocks = l.operand(2).dim(0);
  a.block = l.operand(2).dim(positions);
  const auto x = l.operand_ref(0), slots = l.operand_ref(1),
             cache = l.operand_ref(2);
  const kernel_body body = on_rows(
      l, run, a,
      [=, y = l.result_ref()](cache_write_args &call, const run_frame &f) {
        call.rows_in = f.at(x);
        call.slots = in<std::int32_t>(f, slots);
        call.cache = f.at(y);
      });
  if (cache == l.result_ref())
    return body;
  // The old cache is still wanted: member 0 writes into a copy alone.
  return [=, y = l.result_ref(), bytes = l.result().bytes()](run_frame &f,
                                                             work_share share) {
    if (share.part != 0)
      return;
    std::memcpy(f.at(y), f.at(cache), bytes);
    body(f, {});
  };
}

kernel_body lower_write_keys(const lowering &l) {
  return lower_cache_write(l, 3, l.kernels.write_keys);
}
kernel_body lower_write_values(const lowering &l) {
  return lower_cache_write(l, 2, l.kernels.write_values);
}
kernel_body lower_write_scales(const lowering &l) {
  return lower_cache_write(l, 2, l.kernels.write_scales);
}

/// `embedding` and `take_rows`.
kernel_body lower_gather(const lowering &l) {
  gather_args a{};
  a.type = l.operand(1).type;
  a.entries = l.operand(1).dim(0);
  a.width = l.operand(1).dim(1);
  const auto ids = l.operand_ref(0), table = l.operand_ref(1),
             y = l.result_ref();
  return on_rows(l, l.kernels.gather, a,
                 [=](gather_args &call, const run_frame &f) {
                   call.ids = in<std::int32_t>(f, ids);
                   call.table = f.at(table);
                   call.out = out<float>(f, y);
                 });
}

kernel_body lower_residual_add(const lowering &l) {
  add_args a{};
  a.width = l.operand(0).dim(1);
  const bool biased = l.operands() > 2;
  a.type = biased ? l.operand(2).type : element_type::f32;
  const auto x = l.operand_ref(0), y = l.operand_ref(1), z = l.result_ref();
  const auto bias = biased ? l.operand_ref(2) : buffer_ref{};
  return on_rows(l, l.kernels.add, a, [=](add_args &call, const run_frame &f) {
    call.x = in<float>(f, x);
    call.y = in<float>(f, y);
    call.bias = biased ? f.at(bias) : nullptr;
    call.out = out<float>(f, z);
  });
}

} // namespace

const std::vector<composite_kernel> &composite_kernels() {
  constexpr auto no_more_panels = static_cast<std::size_t>(-1);
  static const std::vector<composite_kernel> table = {
      {"ganglion.dynamic_rotary_table",
       {},
       fits_dynamic_rotary_table,
       lower_dynamic_rotary_table},
      {"ganglion.embedding", {}, fits_embedding, lower_gather},
      {"ganglion.expert_mlp",
       {},
       fits_expert_mlp,
       nullptr,
       expert_phases,
       expert_scratch_bytes,
       2},
      {"ganglion.gated_int4_linear",
       {1, 2, 3, 4},
       fits_gated_int4_linear,
       lower_gated_int4_linear,
       nullptr,
       nullptr,
       no_more_panels,
       packing::nibbles},
      {"ganglion.gated_int8_linear",
       {1, 2},
       fits_gated_int8_linear,
       lower_gated_int8_linear,
       nullptr,
       nullptr,
       no_more_panels,
       packing::quads},
      {"ganglion.gated_linear", {1, 2}, fits_product, lower_gated},
      {"ganglion.group_sums", {}, fits_group_sums, lower_group_sums},
      {"ganglion.head_norm", {}, fits_head_norm, lower_norm},
      {"ganglion.int4_linear",
       {1, 2},
       fits_int4_linear,
       lower_int4_linear,
       nullptr,
       nullptr,
       no_more_panels,
       packing::nibbles},
      {"ganglion.int8_linear",
       {1},
       fits_int8_linear,
       lower_int8_linear,
       nullptr,
       nullptr,
       no_more_panels,
       packing::quads},
      {"ganglion.layer_norm", {}, fits_norm, lower_norm},
      {"ganglion.linear", {1}, fits_product, lower_linear},
      {"ganglion.merge_attention",
       {},
       fits_attention_merge,
       lower_attention_merge},
      {"ganglion.paged_attention", {}, fits_attention, lower_attention},
      {"ganglion.paged_attention_part", {}, fits_attention, lower_attention},
      {"ganglion.quantise_rows", {}, fits_quantise_rows, lower_quantise_rows},
      {"ganglion.residual_add", {}, fits_residual_add, lower_residual_add},
      {"ganglion.rms_norm", {}, fits_norm, lower_norm},
      {"ganglion.rotary", {}, fits_heads, lower_heads},
      {"ganglion.round_rows", {}, fits_round_rows, lower_round},
      {"ganglion.round_through", {}, fits_round_rows, lower_round},
      {"ganglion.rotary_table", {}, fits_rotary_table, lower_rotary_table},
      {"ganglion.route", {}, fits_route, lower_route},
      {"ganglion.row_scales", {}, fits_row_scales, lower_row_scales},
      {"ganglion.split_heads", {}, fits_heads, lower_heads},
      {"ganglion.take_columns", {}, fits_take_columns, lower_take_columns},
      {"ganglion.take_rows", {}, fits_embedding, lower_gather},
      {"ganglion.write_scales", {}, fits_scale_write, lower_write_scales},
      {"ganglion.write_keys", {}, fits_cache_write, lower_write_keys},
      {"ganglion.write_values", {}, fits_cache_write, lower_write_values},
  };
  return table;
}

bool composite_kernel::takes_panels(std::size_t operand) const {
  return operand >= panels_from ||
         std::find(panel_operands.begin(), panel_operands.end(), operand) !=
             panel_operands.end();
}

const composite_kernel *find_composite_kernel(const std::string &name) {
  for (const auto &k : composite_kernels())
    if (k.name == name)
      return &k;
  return nullptr;
}

} // namespace ganglion::neuron

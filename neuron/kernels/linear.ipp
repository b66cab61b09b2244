// Matrix product with panel-packed weights; included inside the namespace of
// an instruction set.

#include "neuron/kernels/linear_int8.ipp"

/// Accumulates R rows by V vectors of one panel over all of k.
/// `w` points at the first of the V vectors in the panel.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate(const float *x, std::int64_t stride, const float *w, std::int64_t k,
           vec (&acc)[R][V]) {
  for (std::int64_t i = 0; i < k; ++i, w += panel_width) {
    vec weights[V];
    for (int v = 0; v < V; ++v)
      weights[v] = load(w + v * vec::lanes);
    for (int r = 0; r < R; ++r) {
      const vec input = set1(x[r * stride + i]);
      for (int v = 0; v < V; ++v)
        acc[r][v] = fma(input, weights[v], acc[r][v]);
    }
  }
}

template <int R, int V>
[[gnu::always_inline]] inline void
accumulate(const float16 *x, std::int64_t stride, const float16 *w,
           std::int64_t k, vec (&acc)[R][V]) {
  for (std::int64_t i = 0; i < k; ++i, w += panel_width) {
    vec weights[V];
    for (int v = 0; v < V; ++v)
      weights[v] = load(w + v * vec::lanes);
    for (int r = 0; r < R; ++r) {
      const vec input = set1(to_float(x[r * stride + i]));
      for (int v = 0; v < V; ++v)
        acc[r][v] = fma(input, weights[v], acc[r][v]);
    }
  }
}

/// One step over a pair of inputs for R rows and V vectors.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate_pair(const std::uint32_t (&inputs)[R], const bfloat16 *w,
                vec (&acc)[R][V]) {
  pair_vec weights[V];
  for (int v = 0; v < V; ++v)
    weights[v] = load_pairs(w + v * 2 * vec::lanes);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      acc[r][v] = dot_pair(acc[r][v], inputs[r], weights[v]);
}

/// bf16 weights lie in pairs (k, k + 1); an odd k ends in a zero.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate(const bfloat16 *x, std::int64_t stride, const bfloat16 *w,
           std::int64_t k, vec (&acc)[R][V]) {
  std::uint32_t inputs[R];
  std::int64_t i = 0;
  for (; i + 1 < k; i += 2, w += 2 * panel_width) {
    for (int r = 0; r < R; ++r)
      __builtin_memcpy(&inputs[r], x + r * stride + i, sizeof inputs[r]);
    accumulate_pair(inputs, w, acc);
  }
  if (i < k) {
    for (int r = 0; r < R; ++r)
      inputs[r] = x[r * stride + i].bits;
    accumulate_pair(inputs, w, acc);
  }
}

/// Inputs that a panel keeps side by side: pairs of bf16 and s8, quads of s8
/// for s8 inputs.
template <class W>
inline constexpr std::int64_t packed_step =
    std::is_same_v<W, quad_weight>                                  ? 4
    : std::is_same_v<W, bfloat16> || std::is_same_v<W, int8_weight> ? 2
                                                                    : 1;

/// Memory to ask for while a panel is worked on: this pass's share of the next
/// panel. Without, memory would rest while later passes find theirs in caches.
struct read_ahead {
  const std::byte *from = nullptr;
  std::int64_t bytes = 0;

  /// The share of step `i` of `n`.
  void fetch(std::int64_t i, std::int64_t n) const {
    const range mine = range_of(bytes / 64, {i, n});
    for (std::int64_t line = mine.begin; line < mine.end; ++line)
      __builtin_prefetch(from + line * 64, 0, 2);
  }
};

/// Inputs between looks ahead; whole pairs and quads.
inline constexpr std::int64_t look_ahead_step = 32;

#include "neuron/kernels/linear_quads.ipp"
// Groups of inputs.
#include "neuron/kernels/linear_nibbles.ipp"

/// R rows of one panel into `sums` [R][panel_width].
template <int R, class T, class W>
inline void panel_sums(const T *x, const W *panel, std::int64_t k, float *sums,
                       const read_ahead &ahead = {}) {
  // One row alone takes the whole panel at once: a single stream of weights.
  constexpr int whole = static_cast<int>(panel_width) / vec::lanes;
  constexpr int V = R == 1 ? whole : tile_vectors_for<W>;
  for (int first = 0; first < whole; first += V) {
    vec acc[R][V];
    for (auto &row : acc)
      for (vec &a : row)
        a = set1(0.0f);
    const W *w = panel + first * vec::lanes * packed_step<W>;
    const std::int64_t steps = (k + look_ahead_step - 1) / look_ahead_step;
    for (std::int64_t i = 0; i < steps; ++i) {
      if (ahead.bytes > 0)
        ahead.fetch(first / V * steps + i, whole / V * steps);
      const std::int64_t done = i * look_ahead_step, left = k - done;
      accumulate<R, V>(x + done, k, w + done * panel_width,
                       left < look_ahead_step ? left : look_ahead_step, acc);
    }
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v)
        store(sums + r * panel_width + (first + v) * vec::lanes, acc[r][v]);
  }
}

template <class W>
inline std::int64_t panel_elements(std::int64_t k) {
  if constexpr (std::is_same_v<W, nibble_weight>)
    return (k + nibble_step - 1) / nibble_step * 4 * panel_width;
  else
    return (k + packed_step<W> - 1) / packed_step<W> * packed_step<W> *
           panel_width;
}

template <class T>
inline void add_bias(const void *bias, std::int64_t first, std::int64_t count,
                     float *sums) {
  const T *from = static_cast<const T *>(bias) + first;
  for (std::int64_t i = 0; i < count; ++i)
    sums[i] += as_float(from[i]);
}

/// What an s8 weight's sums stand for.
inline void scale_sums(const float *scale, std::int64_t first,
                       std::int64_t count, float *sums) {
  for (std::int64_t i = 0; i < count; ++i)
    sums[i] *= scale[first + i];
}

/// Scale, bias, activation, gate and rounding of one row of a panel.
template <class T>
inline void finish_row(const linear_args &a, float *sums, float *gated,
                       std::int64_t row, std::int64_t first) {
  const std::int64_t count =
      a.n - first < panel_width ? a.n - first : panel_width;
  if (a.scale)
    scale_sums(a.scale, first, count, sums);
  if (a.scale_gated)
    scale_sums(a.scale_gated, first, count, gated);
  if (a.bias)
    add_bias<T>(a.bias, first, count, sums);
  if (a.bias_gated)
    add_bias<T>(a.bias_gated, first, count, gated);
  activate(a.activation, sums, panel_width);
  if (gated)
    for (std::int64_t i = 0; i < panel_width; i += vec::lanes)
      store(sums + i, mul(load(sums + i), load(gated + i)));
  with_type(a.out_type, [&](auto *tag) {
    using O = std::remove_pointer_t<decltype(tag)>;
    store_all(static_cast<O *>(a.out) + row * a.n + first, sums, count);
  });
}

/// The part of the next panel that the pass over R rows from `row` asks for.
/// One or two passes wait for memory anyway, which then reads best in order.
template <int R>
inline read_ahead ahead_of_row(const linear_args &a, std::int64_t row,
                               const std::byte *next, std::int64_t bytes) {
  if (a.rows <= 2 * tile_rows)
    return {};
  const std::int64_t from = bytes / 64 * row / a.rows * 64;
  return {next + from, bytes / 64 * (row + R) / a.rows * 64 - from};
}

/// The sums of R rows with both weights of a gated pair, or the one there is.
template <int R, class T, class W, class Ahead>
inline void tile_sums(const linear_args &a, std::int64_t panel,
                      std::int64_t row, const W *w, const W *w_gated,
                      float *sums, float *gated, Ahead ahead) {
  if constexpr (std::is_same_v<W, nibble_weight>) {
    group_panel_sums<R>(inputs_of_groups(a, row, panel, a.group_scale), w, sums,
                        ahead(a.w));
    if (w_gated)
      group_panel_sums<R>(inputs_of_groups(a, row, panel, a.group_scale_gated),
                          w_gated, gated, ahead(a.w_gated));
  } else if constexpr (std::is_same_v<W, quad_weight>) {
    const auto *x = static_cast<const std::int8_t *>(a.x) + row * a.k;
    std::int32_t start[R];
    for (int r = 0; r < R; ++r)
      start[r] = start_of_row(x + r * a.k, a.k);
    const float *scale = a.row_scale + row;
    panel_sums<R>(x, scale, start, w, a.k, sums, ahead(a.w));
    if (w_gated)
      panel_sums<R>(x, scale, start, w_gated, a.k, gated, ahead(a.w_gated));
  } else {
    const T *x = static_cast<const T *>(a.x) + row * a.k;
    panel_sums<R>(x, w, a.k, sums, ahead(a.w));
    if (w_gated)
      panel_sums<R>(x, w_gated, a.k, gated, ahead(a.w_gated));
  }
}

/// `T` is the type of x, or of a bias where x is s8; `more`: whether another
/// panel of the share follows.
template <int R, class T, class W>
inline void panel_tile(const linear_args &a, std::int64_t panel,
                       std::int64_t row, bool more) {
  alignas(64) float sums[R * panel_width];
  alignas(64) float gated[R * panel_width];
  const std::int64_t size = panel_elements<W>(a.k), offset = panel * size;
  const auto weights = [&](const std::byte *w) {
    return reinterpret_cast<const W *>(w) + offset;
  };
  const auto ahead = [&](const std::byte *w) {
    return ahead_of_row<R>(
        a, row, reinterpret_cast<const std::byte *>(weights(w) + size),
        more ? size * std::int64_t{sizeof(W)} : 0);
  };
  tile_sums<R, T>(a, panel, row, weights(a.w),
                  a.w_gated ? weights(a.w_gated) : nullptr, sums, gated, ahead);
  for (int r = 0; r < R; ++r)
    finish_row<T>(a, sums + r * panel_width,
                  a.w_gated ? gated + r * panel_width : nullptr, row + r,
                  panel * panel_width);
}

/// The rows left over after full tiles, by the largest tile that fits.
template <int R, class T, class W>
inline void panel_rest(const linear_args &a, std::int64_t panel,
                       std::int64_t row, bool more) {
  if constexpr (R > 0) {
    if (a.rows - row >= R) {
      panel_tile<R, T, W>(a, panel, row, more);
      row += R;
    }
    panel_rest<R - 1, T, W>(a, panel, row, more);
  }
}

template <class T, class W>
inline void linear_typed(const linear_args &a, work_share share) {
  const std::int64_t panels = (a.n + panel_width - 1) / panel_width;
  const range mine = range_of(panels, share);
  for (std::int64_t panel = mine.begin; panel < mine.end; ++panel) {
    const bool more = panel + 1 < mine.end;
    std::int64_t row = 0;
    constexpr int R = tile_rows_for<W>;
    for (; row + R <= a.rows; row += R)
      panel_tile<R, T, W>(a, panel, row, more);
    panel_rest<R - 1, T, W>(a, panel, row, more);
  }
}

inline void linear(const linear_args &a, work_share share) {
  with_type(a.bias_type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    if (a.group > 0)
      linear_typed<T, nibble_weight>(a, share);
    else if (a.type == element_type::s8)
      linear_typed<T, quad_weight>(a, share);
    else if (a.weight_type == element_type::s8)
      linear_typed<T, int8_weight>(a, share);
    else
      linear_typed<T, T>(a, share);
  });
}

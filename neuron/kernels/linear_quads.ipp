// Products of int8 rows with int8 weights: exact sums of whole numbers, in
// which the order does not matter. Part of linear.ipp.

/// The input quad at `x`, of which `count` are the row's; others are zero.
inline std::uint32_t input_quad(const std::int8_t *x, std::int64_t count) {
  std::uint32_t bits = 0;
  if (count >= 4)
    __builtin_memcpy(&bits, x, 4);
  else
    __builtin_memcpy(&bits, x, static_cast<std::size_t>(count));
  return bits;
}

/// One quad of inputs, of which `count` are the rows', for R rows, V vectors.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate_quad(const std::int8_t *x, std::int64_t stride, std::int64_t count,
                const quad_weight *w, int_vec (&acc)[R][V]) {
  weight_quads weights[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v)
    weights[v] = load_quads(w + v * 4 * vec::lanes);
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const input_quads input = spread_quad(input_quad(x + r * stride, count));
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v)
      acc[r][v] = dot_quads(acc[r][v], weights[v], input);
  }
}

/// R rows by V vectors over `k` inputs. Few accumulators are doubled, so that
/// each may take its time.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate_quads(const std::int8_t *x, std::int64_t stride,
                 const quad_weight *w, std::int64_t k, int_vec (&even)[R][V],
                 int_vec (&odd)[R][V]) {
  constexpr bool both = R * V < 8;
  constexpr std::int64_t step = 4 * panel_width;
  std::int64_t i = 0;
  for (; both && i + 8 <= k; i += 8, w += 2 * step) {
    accumulate_quad(x + i, stride, 4, w, even);
    accumulate_quad(x + i + 4, stride, 4, w + step, odd);
  }
  for (; i + 4 <= k; i += 4, w += step)
    accumulate_quad(x + i, stride, 4, w, even);
  if (i < k)
    accumulate_quad(x + i, stride, k - i, w, even);
}

/// What an accumulator starts with, since weights are raised.
inline std::int32_t start_of_row(const std::int8_t *x, std::int64_t k) {
  // Unsigned, since this may wrap where the whole sum does not.
  return static_cast<std::int32_t>(0u - sum_of_inputs(x, k) *
                                            std::uint32_t{quad_offset});
}

/// R rows of one panel into `sums` [R][panel_width], each in units of its
/// row's scale.
template <int R>
inline void panel_sums(const std::int8_t *x, const float *row_scale,
                       const std::int32_t (&start)[R], const quad_weight *panel,
                       std::int64_t k, float *sums, const read_ahead &ahead) {
  constexpr int whole = static_cast<int>(panel_width) / vec::lanes;
  constexpr int V = R == 1 ? whole : tile_vectors_for<quad_weight>;
  for (int first = 0; first < whole; first += V) {
    int_vec acc[R][V], odd[R][V];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        acc[r][v] = set1_int(start[r]);
        odd[r][v] = set1_int(0);
      }
    const quad_weight *w = panel + first * vec::lanes * 4;
    const std::int64_t steps = (k + look_ahead_step - 1) / look_ahead_step;
    for (std::int64_t i = 0; i < steps; ++i) {
      if (ahead.bytes > 0)
        ahead.fetch(first / V * steps + i, whole / V * steps);
      const std::int64_t done = i * look_ahead_step, left = k - done;
      accumulate_quads(x + done, k, w + done * panel_width,
                       left < look_ahead_step ? left : look_ahead_step, acc,
                       odd);
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v)
        store(
            sums + r * panel_width + (first + v) * vec::lanes,
            mul(to_floats(add_int(acc[r][v], odd[r][v])), set1(row_scale[r])));
  }
}

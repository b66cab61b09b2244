// Products of int8 rows with int4 weights: exact sums of whole numbers over a
// group of inputs, which are added in the order of groups. Part of linear.ipp.

/// Eight inputs, of which `count` are the row's, for R rows and V vectors.
template <int R, int V>
[[gnu::always_inline]] inline void
accumulate_nibbles(const std::int8_t *x, std::int64_t stride,
                   std::int64_t count, const nibble_weight *w,
                   int_vec (&acc)[R][V]) {
  weight_quads low[V], high[V];
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v)
    load_nibbles(w + v * 4 * vec::lanes, low[v], high[v]);
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
    const std::int8_t *from = x + r * stride;
    const input_quads first = spread_quad(input_quad(from, count));
    const input_quads second =
        spread_quad(count > 4 ? input_quad(from + 4, count - 4) : 0);
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v)
      acc[r][v] =
          dot_quads(dot_quads(acc[r][v], low[v], first), high[v], second);
  }
}

/// One group of `k` inputs for R rows by V vectors: what it adds to the totals.
template <int R, int V>
[[gnu::always_inline]] inline void
add_group(const std::int8_t *x, std::int64_t stride, const std::int32_t *sums,
          std::int64_t groups, const nibble_weight *w, const float16 *scales,
          std::int64_t k, vec (&total)[R][V]) {
  int_vec acc[R][V];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v)
      acc[r][v] = set1_int(-nibble_offset * sums[r * groups]);
  std::int64_t i = 0;
  for (; i + nibble_step <= k; i += nibble_step, w += 4 * panel_width)
    accumulate_nibbles(x + i, stride, nibble_step, w, acc);
  if (i < k)
    accumulate_nibbles(x + i, stride, k - i, w, acc);
#pragma GCC unroll 8
  for (int v = 0; v < V; ++v) {
    const vec scale = load(scales + v * vec::lanes);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
      total[r][v] = fma(to_floats(acc[r][v]), scale, total[r][v]);
  }
}

/// What one pass over a panel reads beside the panel.
struct group_inputs {
  const std::int8_t *x;     ///< [R, k]
  const float *row_scale;   ///< [R]
  const std::int32_t *sums; ///< [R, groups]
  const float16 *scales;    ///< the panel's, [groups][panel_width]
  std::int64_t k, group, groups;
};

/// R rows of one panel into `out` [R][panel_width], each in units of its row's
/// scale.
template <int R>
inline void group_panel_sums(const group_inputs &in, const nibble_weight *panel,
                             float *out, const read_ahead &ahead) {
  constexpr int whole = static_cast<int>(panel_width) / vec::lanes;
  constexpr int V = R == 1 ? single_nibble_vectors : nibble_vectors;
  for (int first = 0; first < whole; first += V) {
    vec total[R][V];
    for (auto &row : total)
      for (vec &t : row)
        t = set1(0.0f);
    const nibble_weight *w = panel + first * vec::lanes * 4;
    const float16 *scales = in.scales + first * vec::lanes;
    for (std::int64_t g = 0; g < in.groups; ++g) {
      if (ahead.bytes > 0)
        ahead.fetch(first / V * in.groups + g, whole / V * in.groups);
      const std::int64_t done = g * in.group, left = in.k - done;
      add_group(in.x + done, in.k, in.sums + g, in.groups,
                w + done / 2 * panel_width, scales + g * panel_width,
                left < in.group ? left : in.group, total);
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v)
        store(out + r * panel_width + (first + v) * vec::lanes,
              mul(total[r][v], set1(in.row_scale[r])));
  }
}

/// The inputs of R rows from `row` on, for the panel of this number.
inline group_inputs inputs_of_groups(const linear_args &a, std::int64_t row,
                                     std::int64_t panel,
                                     const float16 *scales) {
  const std::int64_t groups = (a.k + a.group - 1) / a.group;
  return {static_cast<const std::int8_t *>(a.x) + row * a.k,
          a.row_scale + row,
          a.group_sums + row * groups,
          scales + panel * groups * panel_width,
          a.k,
          a.group,
          groups};
}

// What products do differently with int8 weights: panels are unpacked to the
// activations' type in registers. Part of linear.ipp.

/// Vectors of 32 outputs, which are unpacked together.
inline constexpr int group_vectors = 32 / vec::lanes;

/// Vectors of outputs that a tile of several rows works on at once.
template <class W>
inline constexpr int tile_vectors_for =
    std::is_same_v<W, quad_weight>     ? quad_vectors
    : std::is_same_v<W, nibble_weight> ? nibble_vectors
    : std::is_same_v<W, int8_weight> &&tile_vectors < group_vectors
        ? group_vectors
        : tile_vectors;
template <class W>
inline constexpr int tile_rows_for =
    std::is_same_v<W, quad_weight>     ? quad_rows
    : std::is_same_v<W, nibble_weight> ? nibble_rows
                                       : tile_rows;

/// The weights of V vectors of outputs and two inputs.
template <int V>
inline void unpack_step(const int8_weight *w, unpacked_pairs (&out)[V]) {
  static_assert(V % group_vectors == 0);
  for (int v = 0; v < V; v += group_vectors)
    unpack_group(w + v * vec::lanes * 2, out + v);
}

/// One step over a pair of bf16 inputs for R rows and V vectors.
template <int R, int V>
inline void accumulate_pair(const std::uint32_t (&inputs)[R],
                            const int8_weight *w, vec (&acc)[R][V]) {
  unpacked_pairs weights[V];
  unpack_step(w, weights);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      acc[r][v] = dot_pair(acc[r][v], inputs[r], weights[v]);
}

/// A whole number from -127 to 127 is exact in bf16.
template <int R, int V>
inline void accumulate(const bfloat16 *x, std::int64_t stride,
                       const int8_weight *w, std::int64_t k, vec (&acc)[R][V]) {
  std::uint32_t inputs[R];
  std::int64_t i = 0;
  for (; i + 1 < k; i += 2, w += int8_step) {
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

/// f32 and f16 inputs: one multiply-add for each weight.
template <int R, int V, class T>
inline void accumulate(const T *x, std::int64_t stride, const int8_weight *w,
                       std::int64_t k, vec (&acc)[R][V]) {
  const auto one_input = [&](std::int64_t i, const vec(&weights)[V]) {
    for (int r = 0; r < R; ++r) {
      const vec input = set1(as_float(x[r * stride + i]));
      for (int v = 0; v < V; ++v)
        acc[r][v] = fma(input, weights[v], acc[r][v]);
    }
  };
  for (std::int64_t i = 0; i < k; i += 2, w += int8_step) {
    unpacked_pairs pairs[V];
    unpack_step(w, pairs);
    vec weights[V];
    for (int v = 0; v < V; ++v)
      weights[v] = first_of(pairs[v]);
    one_input(i, weights);
    if (i + 1 == k)
      return;
    for (int v = 0; v < V; ++v)
      weights[v] = second_of(pairs[v]);
    one_input(i + 1, weights);
  }
}

// The two products of attention for R queries and one tile, and the softmax
// between them. Each score is one chain over the head's width, each element of
// the mix one chain over the positions that its row sees: neither depends on R
// or on where the tile is read. Included inside the namespace of an
// instruction set.

/// One query head of one row: what it sees, and its softmax so far.
struct query_state {
  range seen;  ///< positions
  float slope; ///< of the position's bias
  float top, sum;
};

/// Keys of V vectors of positions, read from the cache.
template <int R, int V, class T>
[[gnu::always_inline]] inline void
accumulate_keys(const T *queries, const T *const (&keys)[V],
                std::int64_t stride, std::int64_t width, vec (&acc)[R][V]) {
  for (std::int64_t d = 0; d < width; ++d) {
    vec weights[V];
    for (int v = 0; v < V; ++v)
      weights[v] = load(keys[v] + d * stride);
    for (int r = 0; r < R; ++r) {
      const vec input = set1(as_float(queries[r * width + d]));
      for (int v = 0; v < V; ++v)
        acc[r][v] = fma(input, weights[v], acc[r][v]);
    }
  }
}

template <int R, int V>
inline void
accumulate_keys(const bfloat16 *queries, const bfloat16 *const (&keys)[V],
                std::int64_t stride, std::int64_t width, vec (&acc)[R][V]) {
  std::uint32_t inputs[R];
  std::int64_t d = 0;
  for (; d + 1 < width; d += 2) {
    for (int r = 0; r < R; ++r)
      __builtin_memcpy(&inputs[r], queries + r * width + d, sizeof inputs[r]);
    pair_vec weights[V];
    for (int v = 0; v < V; ++v)
      weights[v] = pairs_of(keys[v] + d * stride, keys[v] + (d + 1) * stride);
    for (int r = 0; r < R; ++r)
      for (int v = 0; v < V; ++v)
        acc[r][v] = dot_pair(acc[r][v], inputs[r], weights[v]);
  }
  for (int r = 0; d < width && r < R; ++r)
    for (int v = 0; v < V; ++v)
      acc[r][v] = dot_pair(acc[r][v], queries[r * width + d].bits,
                           pairs_of(keys[v] + d * stride, no_odd));
}

/// Keys in the cache, from vector `first` on.
template <int R, int V, class T>
[[gnu::always_inline]] inline void
accumulate_tile(const T *queries, const cache_tile<T> &tile, int first,
                vec (&acc)[R][V]) {
  const T *keys[V];
  for (int v = 0; v < V; ++v) {
    const std::int64_t i = (first + v) * vec::lanes;
    keys[v] = tile.keys[i / segment] + i % segment;
  }
  accumulate_keys<R, V>(queries, keys, tile.block, tile.width, acc);
}

/// Keys laid out as a panel.
template <class T>
struct key_panel {
  const T *panel;
  std::int64_t width;
};
template <int R, int V, class T>
[[gnu::always_inline]] inline void
accumulate_tile(const T *queries, const key_panel<T> &keys, int first,
                vec (&acc)[R][V]) {
  accumulate<R, V>(queries, keys.width,
                   keys.panel + first * vec::lanes * packed_step<T>, keys.width,
                   acc);
}

template <int R, int V, class T, class Keys>
inline void score_vectors(const T *queries, const Keys &keys, int first,
                          vec scale, float *scores) {
  vec acc[R][V];
  for (auto &row : acc)
    for (vec &v : row)
      v = set1(0.0f);
  accumulate_tile<R, V>(queries, keys, first, acc);
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      store(scores + r * attention_tile + (first + v) * vec::lanes,
            mul(acc[r][v], scale));
}

/// Vectors that R queries take at once: few queries need more independent
/// chains.
template <int R>
inline constexpr int vectors_at_once =
    R <= 2 ? 2 * query_vectors : query_vectors;

/// Scores [R][64] of the tile's first `vectors` vectors of positions.
template <int R, class T, class Keys>
inline void score(const T *queries, const Keys &keys, float scale, int vectors,
                  float *scores) {
  const vec by = set1(scale);
  constexpr int step = vectors_at_once<R>;
  int v = 0;
  for (; v + step <= vectors; v += step)
    score_vectors<R, step>(queries, keys, v, by, scores);
  for (; v < vectors; ++v)
    score_vectors<R, 1>(queries, keys, v, by, scores);
}

/// Adds the position's bias, and puts the mask value on what is out of sight.
inline void bias_and_hide(const query_state &q, range seen, std::int64_t first,
                          int vectors, float *scores) {
  if (q.slope != 0.0f)
    for (std::int64_t i = seen.begin; i < seen.end; ++i)
      scores[i] += q.slope * static_cast<float>(first + i);
  for (std::int64_t i = 0; i < seen.begin; ++i)
    scores[i] = -1e30f;
  for (std::int64_t i = seen.end; i < vectors * vec::lanes; ++i)
    scores[i] = -1e30f;
}

/// Scores to probabilities relative to the tile's own maximum.
inline void softmax_of(float *scores, int vectors, float &top, float &sum) {
  vec highest = load(scores);
  for (int v = 1; v < vectors; ++v)
    highest = max(highest, load(scores + v * vec::lanes));
  top = max_of_lanes(highest);
  vec total = set1(0.0f);
  for (int v = 0; v < vectors; ++v) {
    const vec p = exp(sub(load(scores + v * vec::lanes), set1(top)));
    store(scores + v * vec::lanes, p);
    total = add(total, p);
  }
  sum = sum_of_lanes(total);
}

/// The same; the compiler unrolls a whole tile.
inline void tile_softmax(float *scores, int vectors, float &top, float &sum) {
  constexpr int whole = attention_tile / vec::lanes;
  if (vectors == whole)
    softmax_of(scores, whole, top, sum);
  else
    softmax_of(scores, vectors, top, sum);
}

/// Folds a tile into the states and the weighted values of R queries; tiles
/// come in order of position. One that a query does not see would only merge
/// zeros: it is left out.
template <int R>
inline void merge_tile(query_state *states, float *totals,
                       const range (&seen)[R], const float (&top)[R],
                       const float (&sum)[R], const float *sums,
                       std::int64_t width) {
  static_assert(R <= vec::lanes);
  alignas(64) float kept[vec::lanes] = {}, taken[vec::lanes] = {};
  for (int r = 0; r < R; ++r) {
    const float before = states[r].top;
    states[r].top = seen[r].end > 0 && top[r] > before ? top[r] : before;
    kept[r] = before - states[r].top;
    taken[r] = top[r] - states[r].top;
  }
  store(kept, exp(load(kept)));
  store(taken, exp(load(taken)));
  for (int r = 0; r < R; ++r) {
    if (seen[r].end == 0)
      continue;
    const vec by = set1(kept[r]), with = set1(taken[r]);
    states[r].sum = states[r].sum * kept[r] + sum[r] * taken[r];
    for (std::int64_t d = r * width; d < (r + 1) * width; d += vec::lanes)
      store(totals + d, fma(load(sums + d), with, mul(load(totals + d), by)));
  }
}

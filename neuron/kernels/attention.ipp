// Paged attention by tiles of 64 absolute positions; included inside the
// namespace of an instruction set.

/// One query head against one tile: the running softmax of its tiles so far.
struct softmax_state {
  float top = -1e30f;
  float sum = 0.0f;
  float *acc; ///< [width], scaled by e^-top
};

inline constexpr std::int64_t segment = attention_segment;

/// Scores of N segments side by side: as many independent chains.
template <int N, class T>
inline void segment_scores(const attention_args &a, const T *query,
                           const T *const (&keys)[4], float *scores) {
  constexpr int vectors = static_cast<int>(segment) / vec::lanes;
  vec acc[N][vectors];
  for (auto &s : acc)
    for (vec &v : s)
      v = set1(0.0f);
  for (std::int64_t d = 0; d < a.width; ++d) {
    const vec q = set1(as_float(query[d]));
    for (int s = 0; s < N; ++s)
      for (int v = 0; v < vectors; ++v)
        acc[s][v] =
            fma(q, load(keys[s] + d * a.block + v * vec::lanes), acc[s][v]);
  }
  for (int s = 0; s < N; ++s)
    for (int v = 0; v < vectors; ++v)
      store(scores + s * segment + v * vec::lanes,
            mul(acc[s][v], set1(a.scale)));
}

/// Scores of one query head for the 64 positions from `first`; positions at
/// or after `limit` get the mask value.
template <class T>
inline void tile_scores(const attention_args &a, const T *query,
                        const std::int32_t *table, std::int64_t kv_head,
                        std::int64_t first, std::int64_t limit, float *scores) {
  const T *keys[4] = {};
  int count = 0;
  for (std::int64_t position = first;
       position < limit && count < attention_tile / segment;
       position += segment)
    keys[count++] =
        static_cast<const T *>(a.keys) +
        (table[position / a.block] * a.kv_heads + kv_head) * a.width * a.block +
        position % a.block;
  switch (count) {
  case 4:
    segment_scores<4>(a, query, keys, scores);
    break;
  case 3:
    segment_scores<3>(a, query, keys, scores);
    break;
  case 2:
    segment_scores<2>(a, query, keys, scores);
    break;
  default:
    segment_scores<1>(a, query, keys, scores);
  }
  for (std::int64_t i = limit - first; i < attention_tile; ++i)
    scores[i] = -1e30f;
}

/// Scores to probabilities relative to the tile's own maximum.
inline void tile_softmax(float *scores, float &top, float &sum) {
  vec highest = load(scores);
  for (std::int64_t i = vec::lanes; i < attention_tile; i += vec::lanes)
    highest = max(highest, load(scores + i));
  float lanes[vec::lanes];
  store(lanes, highest);
  top = lanes[0];
  for (int i = 1; i < vec::lanes; ++i)
    top = lanes[i] > top ? lanes[i] : top;
  vec total = set1(0.0f);
  for (std::int64_t i = 0; i < attention_tile; i += vec::lanes) {
    const vec p = exp(sub(load(scores + i), set1(top)));
    store(scores + i, p);
    total = add(total, p);
  }
  sum = sum_of_lanes(total);
}

/// V vectors of the mix from `d`, kept in registers over all positions.
template <int V, class T>
inline void mix_vectors(const attention_args &a, const T *const (&values)[4],
                        std::int64_t d, std::int64_t count, const float *p,
                        float *acc) {
  vec sums[V];
  for (vec &v : sums)
    v = set1(0.0f);
  for (std::int64_t i = 0; i < count; ++i) {
    const T *value = values[i / segment] + i % segment * a.width + d;
    const vec weight = set1(p[i]);
    for (int v = 0; v < V; ++v)
      sums[v] = fma(weight, load(value + v * vec::lanes), sums[v]);
  }
  for (int v = 0; v < V; ++v)
    store(acc + d + v * vec::lanes, sums[v]);
}

/// W single elements of the mix from `d`.
template <int W, class T>
inline void mix_elements(const attention_args &a, const T *const (&values)[4],
                         std::int64_t d, std::int64_t count, const float *p,
                         float *acc) {
  float sums[W] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    const T *value = values[i / segment] + i % segment * a.width + d;
    for (int e = 0; e < W; ++e)
      sums[e] += p[i] * as_float(value[e]);
  }
  for (int e = 0; e < W; ++e)
    acc[d + e] = sums[e];
}

/// acc[d] = sum over the tile's visible positions of p * value, in order.
template <class T>
inline void tile_mix(const attention_args &a, const std::int32_t *table,
                     std::int64_t kv_head, std::int64_t first,
                     std::int64_t count, const float *p, float *acc) {
  const T *values[4] = {};
  for (std::int64_t s = 0; s * segment < count; ++s) {
    const std::int64_t position = first + s * segment;
    values[s] = static_cast<const T *>(a.values) +
                ((table[position / a.block] * a.kv_heads + kv_head) * a.block +
                 position % a.block) *
                    a.width;
  }
  std::int64_t d = 0;
  for (; d + 4 * vec::lanes <= a.width; d += 4 * vec::lanes)
    mix_vectors<4>(a, values, d, count, p, acc);
  for (; d + vec::lanes <= a.width; d += vec::lanes)
    mix_vectors<1>(a, values, d, count, p, acc);
  for (; d + 8 <= a.width; d += 8)
    mix_elements<8>(a, values, d, count, p, acc);
  for (; d < a.width; ++d)
    mix_elements<1>(a, values, d, count, p, acc);
}

/// Folds a tile into the state; tiles come in order of position.
inline void merge_tile(softmax_state &state, float top, float sum,
                       const float *acc, std::int64_t width) {
  const float highest = state.top > top ? state.top : top;
  float factors[vec::lanes] = {state.top - highest, top - highest};
  for (int i = 2; i < vec::lanes; ++i)
    factors[i] = 0.0f;
  store(factors, exp(load(factors)));
  for (std::int64_t d = 0; d < width; ++d)
    state.acc[d] = state.acc[d] * factors[0] + acc[d] * factors[1];
  state.sum = state.sum * factors[0] + sum * factors[1];
  state.top = highest;
}

template <class T>
inline void attend(const attention_args &a, std::int64_t row,
                   std::int64_t head) {
  alignas(64) float total[max_head_width], part[max_head_width];
  alignas(64) float scores[attention_tile];
  const std::int64_t slot = a.row_slots[row];
  const std::int32_t *table = a.block_tables + slot * a.max_blocks;
  const std::int64_t written = a.context_lengths[slot];
  const std::int64_t causal = a.positions[row] + std::int64_t{1};
  const std::int64_t limit = causal < written ? causal : written;
  const std::int64_t kv_head = head / (a.heads / a.kv_heads);
  const T *query =
      static_cast<const T *>(a.query) + (row * a.heads + head) * a.width;
  softmax_state state;
  state.acc = total;
  for (std::int64_t d = 0; d < a.width; ++d)
    total[d] = 0.0f;
  for (std::int64_t first = 0; first < limit; first += attention_tile) {
    const std::int64_t rest = limit - first;
    float top = 0, sum = 0;
    tile_scores(a, query, table, kv_head, first, limit, scores);
    tile_softmax(scores, top, sum);
    tile_mix<T>(a, table, kv_head, first,
                rest < attention_tile ? rest : attention_tile, scores, part);
    merge_tile(state, top, sum, part, a.width);
  }
  for (std::int64_t d = 0; d < a.width; ++d)
    total[d] = total[d] / state.sum;
  store_all(static_cast<T *>(a.out) + (row * a.heads + head) * a.width, total,
            a.width);
}

inline void attention(const attention_args &a, work_share share) {
  with_type(a.type, [&](auto *tag) {
    const range mine = range_of(a.rows * a.heads, share);
    for (std::int64_t i = mine.begin; i < mine.end; ++i)
      attend<std::remove_pointer_t<decltype(tag)>>(a, i / a.heads, i % a.heads);
  });
}

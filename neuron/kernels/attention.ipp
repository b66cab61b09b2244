// Paged attention by tiles of 64 absolute positions; included inside the
// namespace of an instruction set.

/// One query head against one tile: the running softmax of its tiles so far.
struct softmax_state {
  float top = -1e30f;
  float sum = 0.0f;
  float *acc; ///< [width], scaled by e^-top
};

inline constexpr std::int64_t segment = attention_segment;

/// What one query head of one row sees: positions [begin, end).
struct head_view {
  const std::int32_t *table; ///< the sequence's blocks
  std::int64_t kv_head, begin, end;
  float slope; ///< of the position's bias, 0 without
};

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

/// Adds the position's bias, and puts the mask value on what is out of sight.
inline void bias_and_hide(const attention_args &a, const head_view &view,
                          std::int64_t first, float *scores) {
  const std::int64_t rest = view.end - first;
  const std::int64_t scored = rest < attention_tile ? rest : attention_tile;
  if (a.slopes)
    for (std::int64_t i = 0; i < scored; ++i)
      scores[i] += view.slope * static_cast<float>(first + i);
  for (std::int64_t i = 0; i < view.begin - first; ++i)
    scores[i] = -1e30f;
  for (std::int64_t i = scored; i < attention_tile; ++i)
    scores[i] = -1e30f;
}

/// Scores of one query head for the 64 positions from `first`.
template <class T>
inline void tile_scores(const attention_args &a, const T *query,
                        const head_view &view, std::int64_t first,
                        float *scores) {
  const T *keys[4] = {};
  int count = 0;
  for (std::int64_t position = first;
       position < view.end && count < attention_tile / segment;
       position += segment)
    keys[count++] =
        static_cast<const T *>(a.keys) +
        (view.table[position / a.block] * a.kv_heads + view.kv_head) * a.width *
            a.block +
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
  bias_and_hide(a, view, first, scores);
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

/// Where a tile's values are, and which of its positions count.
template <class T>
struct tile_values {
  const T *segments[4] = {};
  std::int64_t width, begin, end; ///< positions within the tile

  const T *at(std::int64_t i) const {
    return segments[i / segment] + i % segment * width;
  }
};

template <class T>
inline tile_values<T> values_of(const attention_args &a, const head_view &view,
                                std::int64_t first) {
  tile_values<T> out;
  const std::int64_t left = view.end - first;
  out.width = a.width;
  out.begin = view.begin > first ? view.begin - first : 0;
  out.end = left < attention_tile ? left : attention_tile;
  for (std::int64_t s = 0; s * segment < out.end; ++s) {
    const std::int64_t position = first + s * segment;
    out.segments[s] =
        static_cast<const T *>(a.values) +
        ((view.table[position / a.block] * a.kv_heads + view.kv_head) *
             a.block +
         position % a.block) *
            a.width;
  }
  return out;
}

/// V vectors of the mix from `d`, kept in registers over all positions.
template <int V, class T>
inline void mix_vectors(const tile_values<T> &values, std::int64_t d,
                        const float *p, float *acc) {
  vec sums[V];
  for (vec &v : sums)
    v = set1(0.0f);
  for (std::int64_t i = values.begin; i < values.end; ++i) {
    const T *value = values.at(i) + d;
    const vec weight = set1(p[i]);
    for (int v = 0; v < V; ++v)
      sums[v] = fma(weight, load(value + v * vec::lanes), sums[v]);
  }
  for (int v = 0; v < V; ++v)
    store(acc + d + v * vec::lanes, sums[v]);
}

/// W single elements of the mix from `d`.
template <int W, class T>
inline void mix_elements(const tile_values<T> &values, std::int64_t d,
                         const float *p, float *acc) {
  float sums[W] = {};
  for (std::int64_t i = values.begin; i < values.end; ++i) {
    const T *value = values.at(i) + d;
    for (int e = 0; e < W; ++e)
      sums[e] += p[i] * as_float(value[e]);
  }
  for (int e = 0; e < W; ++e)
    acc[d + e] = sums[e];
}

/// acc[d] = sum over the tile's visible positions of p * value, in order.
template <class T>
inline void tile_mix(const attention_args &a, const head_view &view,
                     std::int64_t first, const float *p, float *acc) {
  const auto values = values_of<T>(a, view, first);
  std::int64_t d = 0;
  for (; d + 4 * vec::lanes <= a.width; d += 4 * vec::lanes)
    mix_vectors<4>(values, d, p, acc);
  for (; d + vec::lanes <= a.width; d += vec::lanes)
    mix_vectors<1>(values, d, p, acc);
  for (; d + 8 <= a.width; d += 8)
    mix_elements<8>(values, d, p, acc);
  for (; d < a.width; ++d)
    mix_elements<1>(values, d, p, acc);
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

inline head_view view_of(const attention_args &a, std::int64_t row,
                         std::int64_t head) {
  const std::int64_t slot = a.row_slots[row];
  const std::int64_t written = a.context_lengths[slot];
  const std::int64_t causal = a.positions[row] + std::int64_t{1};
  head_view v;
  v.table = a.block_tables + slot * a.max_blocks;
  v.kv_head = head / (a.heads / a.kv_heads);
  v.begin = a.window > 0 && causal > a.window ? causal - a.window : 0;
  v.end = causal < written ? causal : written;
  v.slope = a.slopes ? a.slopes[head] : 0.0f;
  return v;
}

/// Divides and rounds, or leaves that to the merging of parts.
inline void finish_head(const attention_args &a, const softmax_state &state,
                        std::int64_t i) {
  if (a.part) {
    float *out = static_cast<float *>(a.out) + i * (a.width + 2);
    store_all(out, state.acc, a.width);
    out[a.width] = state.top;
    out[a.width + 1] = state.sum;
    return;
  }
  // Nothing seen leaves zeros; otherwise the sum is 1 or more.
  const float sum = state.sum > 1.0f ? state.sum : 1.0f;
  for (std::int64_t d = 0; d < a.width; ++d)
    state.acc[d] = state.acc[d] / sum;
  with_type(a.out_type, [&](auto *tag) {
    using O = std::remove_pointer_t<decltype(tag)>;
    store_all(static_cast<O *>(a.out) + i * a.width, state.acc, a.width);
  });
}

template <class T>
inline void attend(const attention_args &a, std::int64_t row,
                   std::int64_t head) {
  alignas(64) float total[max_head_width], part[max_head_width];
  alignas(64) float scores[attention_tile];
  const head_view view = view_of(a, row, head);
  const T *query =
      static_cast<const T *>(a.query) + (row * a.heads + head) * a.width;
  softmax_state state;
  state.acc = total;
  for (std::int64_t d = 0; d < a.width; ++d)
    total[d] = 0.0f;
  // A tile before the window would only merge zeros: it is left out.
  for (std::int64_t first = view.begin / attention_tile * attention_tile;
       first < view.end; first += attention_tile) {
    float top = 0, sum = 0;
    tile_scores(a, query, view, first, scores);
    tile_softmax(scores, top, sum);
    tile_mix<T>(a, view, first, scores, part);
    merge_tile(state, top, sum, part, a.width);
  }
  finish_head(a, state, row * a.heads + head);
}

inline void attention(const attention_args &a, work_share share) {
  with_type(a.type, [&](auto *tag) {
    const range mine = range_of(a.rows * a.heads, share);
    for (std::int64_t i = mine.begin; i < mine.end; ++i)
      attend<std::remove_pointer_t<decltype(tag)>>(a, i / a.heads, i % a.heads);
  });
}

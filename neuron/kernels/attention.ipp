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

/// Puts the mask value on the scores of a segment that lie out of sight.
inline void hide(const head_view &v, std::int64_t position, float *scores) {
  for (std::int64_t i = 0; i < v.begin - position && i < segment; ++i)
    scores[i] = -1e30f;
  const std::int64_t seen = v.end - position;
  for (std::int64_t i = seen > 0 ? seen : 0; i < segment; ++i)
    scores[i] = -1e30f;
}

/// Scores of one query head for the 64 positions from `first`; positions out
/// of sight get the mask value.
template <class T>
inline void tile_scores(const attention_args &a, const T *query,
                        const head_view &view, std::int64_t first,
                        float *scores) {
  constexpr int vectors = static_cast<int>(segment) / vec::lanes;
  const T *keys = static_cast<const T *>(a.keys);
  for (std::int64_t s = 0; s < attention_tile; s += segment) {
    const std::int64_t position = first + s;
    if (position >= view.end || position + segment <= view.begin) {
      hide(view, position, scores + s);
      continue;
    }
    const T *key =
        keys +
        (view.table[position / a.block] * a.kv_heads + view.kv_head) * a.width *
            a.block +
        position % a.block;
    vec acc[vectors];
    for (vec &v : acc)
      v = set1(0.0f);
    for (std::int64_t d = 0; d < a.width; ++d, key += a.block) {
      const vec q = set1(as_float(query[d]));
      for (int v = 0; v < vectors; ++v)
        acc[v] = fma(q, load(key + v * vec::lanes), acc[v]);
    }
    for (int v = 0; v < vectors; ++v)
      store(scores + s + v * vec::lanes, mul(acc[v], set1(a.scale)));
    if (a.slopes)
      for (std::int64_t i = 0; i < segment; ++i)
        scores[s + i] += view.slope * static_cast<float>(position + i);
    hide(view, position, scores + s);
  }
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

/// The values of `position`, [width].
template <class T>
inline const T *value_at(const attention_args &a, const head_view &view,
                         std::int64_t position) {
  return static_cast<const T *>(a.values) +
         ((view.table[position / a.block] * a.kv_heads + view.kv_head) *
              a.block +
          position % a.block) *
             a.width;
}

/// acc[d] = sum over the tile's visible positions of p * value, in order, for
/// V vectors from `d` on: the sums stay in registers.
template <int V, class T>
inline void mix_vectors(const T *const *values, std::int64_t count,
                        const float *p, std::int64_t d, float *acc) {
  vec sums[V];
  for (vec &s : sums)
    s = set1(0.0f);
  for (std::int64_t i = 0; i < count; ++i) {
    const vec weight = set1(p[i]);
    for (int v = 0; v < V; ++v)
      sums[v] = fma(weight, load(values[i] + d + v * vec::lanes), sums[v]);
  }
  for (int v = 0; v < V; ++v)
    store(acc + d + v * vec::lanes, sums[v]);
}

template <class T>
inline void tile_mix(const attention_args &a, const head_view &view,
                     std::int64_t tile, const float *p, float *acc) {
  const T *values[attention_tile];
  const std::int64_t first = tile > view.begin ? tile : view.begin;
  const std::int64_t next = tile + attention_tile;
  const std::int64_t count = (next < view.end ? next : view.end) - first;
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = value_at<T>(a, view, first + i);
  p += first - tile;
  std::int64_t d = 0;
  for (; d + 4 * vec::lanes <= a.width; d += 4 * vec::lanes)
    mix_vectors<4>(values, count, p, d, acc);
  for (; d + vec::lanes <= a.width; d += vec::lanes)
    mix_vectors<1>(values, count, p, d, acc);
  for (; d < a.width; ++d) {
    acc[d] = 0.0f;
    for (std::int64_t i = 0; i < count; ++i)
      acc[d] += p[i] * as_float(values[i][d]);
  }
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

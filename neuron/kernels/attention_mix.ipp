// The values of a tile weighted by probabilities, for R queries; included
// inside the namespace of an instruction set.

/// Where a run of consecutive positions has its values.
template <class S>
struct value_run {
  const S *values;
  std::int64_t stride; ///< from one position to the next
  std::int64_t count;
};

/// Continues R by V sums [R][stride] over a run. The last vector has `last`
/// elements.
template <int R, int V, bool Partial, class S>
[[gnu::always_inline]] inline void
mix_vectors(const float *p, const value_run<S> &run, std::int64_t last,
            float *sums, std::int64_t stride) {
  vec acc[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      acc[r][v] = load(sums + r * stride + v * vec::lanes);
  const S *from = run.values;
  for (std::int64_t i = 0; i < run.count; ++i, from += run.stride) {
    vec values[V];
    for (int v = 0; v < V; ++v)
      values[v] = Partial && v + 1 == V
                      ? load_first(from + v * vec::lanes, last)
                      : load(from + v * vec::lanes);
    for (int r = 0; r < R; ++r) {
      const vec weight = set1(p[r * attention_tile + i]);
      for (int v = 0; v < V; ++v)
        acc[r][v] = fma(weight, values[v], acc[r][v]);
    }
  }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      store(sums + r * stride + v * vec::lanes, acc[r][v]);
}

/// Up to V vectors, of `count` elements in all.
template <int R, int V, class S>
inline void mix_part(const float *p, const value_run<S> &run,
                     std::int64_t count, float *sums, std::int64_t stride) {
  if constexpr (V > 0) {
    if (count >= V * vec::lanes)
      mix_vectors<R, V, false>(p, run, 0, sums, stride);
    else if (count > (V - 1) * vec::lanes)
      mix_vectors<R, V, true>(p, run, count - (V - 1) * vec::lanes, sums,
                              stride);
    else
      mix_part<R, V - 1>(p, run, count, sums, stride);
  }
}

/// Values in the cache: a run a segment.
template <int R, class T>
inline void mix(const float *p, const cache_tile<T> &tile, range which,
                std::int64_t width, float *sums, std::int64_t stride) {
  constexpr std::int64_t step = vectors_at_once<R> * vec::lanes;
  for (std::int64_t i = which.begin; i < which.end;) {
    const std::int64_t end = (i / segment + 1) * segment;
    const std::int64_t count = (end < which.end ? end : which.end) - i;
    const T *from = tile.values[i / segment] + i % segment * width;
    for (std::int64_t d = 0; d < width; d += step)
      mix_part<R, vectors_at_once<R>, T>(p + i, {from + d, width, count},
                                         width - d, sums + d, stride);
    i += count;
  }
}

/// Values laid out in panels, whose vectors are all whole.
struct value_panels {
  const float *panels;
};
template <int R>
inline void mix(const float *p, const value_panels &tile, range which,
                std::int64_t width, float *sums, std::int64_t stride) {
  if (which.begin >= which.end)
    return;
  const std::int64_t whole = (width + vec::lanes - 1) / vec::lanes * vec::lanes;
  constexpr std::int64_t step = vectors_at_once<R> * vec::lanes;
  for (std::int64_t d = 0; d < width; d += step)
    mix_part<R, vectors_at_once<R>, float>(
        p + which.begin,
        {tile.panels + d / panel_width * panel_width * attention_tile +
             which.begin * panel_width + d % panel_width,
         panel_width, which.end - which.begin},
        whole - d, sums + d, stride);
}

/// R queries that see slightly different positions: what all of them see is
/// mixed together, the edges one by one, each in the order of positions.
template <int R, class Values>
inline void mix_queries(const float *p, const Values &values,
                        const range (&seen)[R], std::int64_t width, float *sums,
                        std::int64_t stride) {
  range common = seen[0];
  for (const range &s : seen) {
    common.begin = s.begin > common.begin ? s.begin : common.begin;
    common.end = s.end < common.end ? s.end : common.end;
  }
  const bool shared = common.begin < common.end;
  for (int r = 0; r < R; ++r)
    mix<1>(p + r * attention_tile, values,
           {seen[r].begin, shared ? common.begin : seen[r].end}, width,
           sums + r * stride, stride);
  if (!shared)
    return;
  mix<R>(p, values, common, width, sums, stride);
  for (int r = 0; r < R; ++r)
    mix<1>(p + r * attention_tile, values, {common.end, seen[r].end}, width,
           sums + r * stride, stride);
}

// One tile of keys and values, read where it lies in the cache or laid out
// first for many queries: keys as a panel of weights, values in f32. Either way
// the same chains of the same numbers; included inside the namespace of an
// instruction set.

static_assert(attention_tile == panel_width);

inline constexpr std::int64_t segment = attention_segment;
inline constexpr int tile_segments = attention_tile / attention_segment;

/// Positions [first, first + 64) of one KV head of a sequence.
template <class T>
struct cache_tile {
  std::int64_t first;
  range seen; ///< what some query sees of the tile, from 0 to 64
  /// Where each segment with a seen position lies: keys are `block` apart for
  /// each element of the head, values `width` for each position.
  const T *keys[tile_segments], *values[tile_segments];
  /// Of an s8 cache: the scales of each segment's positions.
  const float *key_scales[tile_segments], *value_scales[tile_segments];
  std::int64_t block, width;

  /// Vectors that the seen positions take.
  int vectors() const {
    return static_cast<int>((seen.end + vec::lanes - 1) / vec::lanes);
  }
};

/// What of the tile from `first` lies in `seen`; {0, 0} when nothing.
inline range within_tile(range seen, std::int64_t first) {
  const std::int64_t begin = seen.begin > first ? seen.begin - first : 0;
  const std::int64_t rest = seen.end - first;
  const std::int64_t end = rest < attention_tile ? rest : attention_tile;
  return begin < end ? range{begin, end} : range{0, 0};
}

template <class T>
inline cache_tile<T> tile_at(const attention_args &a, std::int64_t slot,
                             std::int64_t kv_head, range seen,
                             std::int64_t first) {
  cache_tile<T> t{};
  t.first = first;
  t.seen = within_tile(seen, first);
  t.block = a.block;
  t.width = a.width;
  for (std::int64_t s = 0; s * segment < t.seen.end; ++s) {
    // A segment before all that is seen has no block any more, perhaps.
    const std::int64_t used =
        s * segment + segment > t.seen.begin ? s : t.seen.begin / segment;
    const auto position = static_cast<std::uint32_t>(first + used * segment);
    const auto block = static_cast<std::uint32_t>(a.block);
    const std::int64_t part =
        a.block_tables[slot * a.max_blocks + position / block] * a.kv_heads +
        kv_head;
    const std::int64_t offset = position % block;
    t.keys[s] =
        static_cast<const T *>(a.keys) + part * a.width * a.block + offset;
    t.values[s] =
        static_cast<const T *>(a.values) + (part * a.block + offset) * a.width;
    if (a.key_scales) {
      t.key_scales[s] = a.key_scales + part * a.block + offset;
      t.value_scales[s] = a.value_scales + part * a.block + offset;
    }
  }
  return t;
}

/// Lays out the keys of 16 positions, `stride` apart for each of `width`.
template <class T>
inline void load_segment(const T *from, std::int64_t stride, std::int64_t width,
                         T *to) {
  for (std::int64_t d = 0; d < width; ++d)
    __builtin_memcpy(to + d * panel_width, from + d * stride,
                     static_cast<std::size_t>(segment) * sizeof(T));
}

/// What an odd width pairs its last element with.
inline constexpr bfloat16 no_odd[vec::lanes] = {};

inline void load_segment(const bfloat16 *from, std::int64_t stride,
                         std::int64_t width, bfloat16 *to) {
  for (std::int64_t v = 0; v < segment; v += vec::lanes) {
    bfloat16 *at = to + 2 * v;
    std::int64_t d = 0;
    for (; d + 1 < width; d += 2, at += 2 * panel_width)
      store_pairs(at,
                  pairs_of(from + d * stride + v, from + (d + 1) * stride + v));
    if (d < width)
      store_pairs(at, pairs_of(from + d * stride + v, no_odd));
  }
}

/// Keys of s8 as the queries' type, which holds them exactly.
template <class T>
inline void load_segment(const std::int8_t *from, std::int64_t stride,
                         std::int64_t width, T *to) {
  for (std::int64_t d = 0; d < width; ++d)
    for (std::int64_t v = 0; v < segment; v += vec::lanes)
      store(to + d * panel_width + v, load(from + d * stride + v));
}

inline void load_segment(const std::int8_t *from, std::int64_t stride,
                         std::int64_t width, bfloat16 *to) {
  for (std::int64_t v = 0; v < segment; v += vec::lanes) {
    bfloat16 *at = to + 2 * v;
    for (std::int64_t d = 0; d < width; d += 2, at += 2 * panel_width) {
      bfloat16 first[vec::lanes], second[vec::lanes] = {};
      store(first, load(from + d * stride + v));
      if (d + 1 < width)
        store(second, load(from + (d + 1) * stride + v));
      store_pairs(at, pairs_of(first, second));
    }
  }
}

/// The tile's keys as a weight panel: outputs are positions.
template <class C, class T>
inline void load_keys(const cache_tile<C> &t, T *panel) {
  for (std::int64_t s = t.seen.begin / segment; s * segment < t.seen.end; ++s)
    load_segment(t.keys[s], t.block, t.width,
                 panel + s * segment * packed_step<T>);
}

/// The tile's values in f32: panels of 64 elements of the head, [64][64].
template <class T>
inline void load_values(const cache_tile<T> &t, float *panels) {
  for (std::int64_t i = t.seen.begin; i < t.seen.end; ++i) {
    const T *from = t.values[i / segment] + i % segment * t.width;
    float *to = panels + i * panel_width;
    std::int64_t d = 0;
    for (; d + vec::lanes <= t.width; d += vec::lanes)
      store(to + d / panel_width * panel_width * attention_tile +
                d % panel_width,
            load(from + d));
    if (d < t.width)
      store(to + d / panel_width * panel_width * attention_tile +
                d % panel_width,
            load_first(from + d, t.width - d));
  }
}

/// The same of an s8 cache, times the scales.
inline void load_values(const cache_tile<std::int8_t> &t, float *panels) {
  for (std::int64_t i = t.seen.begin; i < t.seen.end; ++i) {
    const std::int8_t *from = t.values[i / segment] + i % segment * t.width;
    const float scale = t.value_scales[i / segment][i % segment];
    float *to = panels + i * panel_width;
    const auto place = [](std::int64_t d) {
      return d / panel_width * panel_width * attention_tile + d % panel_width;
    };
    std::int64_t d = 0;
    for (; d + vec::lanes <= t.width; d += vec::lanes)
      store(to + place(d), mul(load(from + d), set1(scale)));
    if (d == t.width)
      continue;
    store(to + place(d), set1(0.0f));
    for (; d < t.width; ++d)
      to[place(d)] = as_float(from[d]) * scale;
  }
}

/// Scores of s8 keys, of which one query sees `seen`.
inline void scale_scores(const cache_tile<std::int8_t> &t, range seen,
                         float *scores) {
  for (std::int64_t i = seen.begin; i < seen.end; ++i)
    scores[i] *= t.key_scales[i / segment][i % segment];
}
template <class T>
inline void scale_scores(const cache_tile<T> &, range, float *) {}

// Paged attention by tiles of 64 absolute positions: rows of one sequence and
// the query heads of one KV head go over its tiles together; included inside
// the namespace of an instruction set.

/// Query rows that share a tile: enough to pay for laying it out, and few
/// enough for their sums to stay close.
inline constexpr std::int64_t unit_queries = 64;

/// Consecutive rows of one sequence by consecutive query heads of one KV head.
struct attention_unit {
  std::int64_t row, rows, head, heads;
};

template <class T>
struct unit_memory {
  // Bytes: elements of two bytes would be set to zero first.
  alignas(64) std::byte key_bytes[max_head_width * panel_width * sizeof(T)];
  alignas(64) float values[max_head_width * attention_tile];
  alignas(64) std::byte query_bytes[unit_queries * max_head_width * sizeof(T)];
  alignas(64) float totals[unit_queries * max_head_width];
  query_state states[unit_queries];
  T *keys() { return reinterpret_cast<T *>(key_bytes); }
  T *queries() { return reinterpret_cast<T *>(query_bytes); }
  std::int64_t stride; ///< of totals: the width, rounded up to whole vectors
};

inline range positions_of(const attention_args &a, std::int64_t row) {
  const std::int64_t written = a.context_lengths[a.row_slots[row]];
  const std::int64_t causal = a.positions[row] + std::int64_t{1};
  return {a.window > 0 && causal > a.window ? causal - a.window : 0,
          causal < written ? causal : written};
}

/// Everything that some row of the unit sees.
inline range positions_of(const attention_args &a, const attention_unit &u) {
  range all = {0, 0};
  for (std::int64_t r = u.row; r < u.row + u.rows; ++r) {
    const range seen = positions_of(a, r);
    if (seen.begin >= seen.end)
      continue;
    const bool first = all.end == 0;
    all.begin = first || seen.begin < all.begin ? seen.begin : all.begin;
    all.end = seen.end > all.end ? seen.end : all.end;
  }
  return all;
}

/// R queries from query `i` of the unit and a tile, of which `keys` and
/// `values` say where to read it.
template <int R, class T, class C, class Keys, class Values>
inline void queries_and_tile(const attention_args &a, const cache_tile<C> &tile,
                             const Keys &keys, const Values &values,
                             std::int64_t i, unit_memory<T> &m) {
  alignas(64) float scores[R * attention_tile], sums[R * max_head_width];
  range seen[R];
  float top[R], sum[R];
  bool any = false;
  for (int r = 0; r < R; ++r) {
    seen[r] = within_tile(m.states[i + r].seen, tile.first);
    any = any || seen[r].end > 0;
  }
  if (!any)
    return;
  const int vectors = tile.vectors();
  score<R>(m.queries() + i * a.width, keys, a.scale, vectors, scores);
  for (int r = 0; r < R; ++r) {
    float *row = scores + r * attention_tile;
    scale_scores(tile, seen[r], row);
    bias_and_hide(m.states[i + r], seen[r], tile.first, vectors, row);
    tile_softmax(row, vectors, top[r], sum[r]);
    for (std::int64_t d = 0; d < m.stride; d += vec::lanes)
      store(sums + r * m.stride + d, set1(0.0f));
  }
  mix_queries<R>(scores, values, seen, a.width, sums, m.stride);
  merge_tile<R>(m.states + i, m.totals + i * m.stride, seen, top, sum, sums,
                m.stride);
}

/// Queries from `i` on, fewer than R + 1 at a time.
template <int R, class T, class C, class Keys, class Values>
inline void all_queries(const attention_args &a, const cache_tile<C> &tile,
                        const Keys &keys, const Values &values, std::int64_t i,
                        std::int64_t count, unit_memory<T> &m) {
  if constexpr (R > 0) {
    for (; count - i >= R; i += R)
      queries_and_tile<R>(a, tile, keys, values, i, m);
    all_queries<R - 1>(a, tile, keys, values, i, count, m);
  }
}

template <class T>
inline void begin_unit(const attention_args &a, const attention_unit &u,
                       unit_memory<T> &m) {
  m.stride = (a.width + vec::lanes - 1) / vec::lanes * vec::lanes;
  query_state *state = m.states;
  T *to = m.queries();
  for (std::int64_t r = u.row; r < u.row + u.rows; ++r) {
    const T *from =
        static_cast<const T *>(a.query) + (r * a.heads + u.head) * a.width;
    __builtin_memcpy(to, from,
                     static_cast<std::size_t>(u.heads * a.width) * sizeof(T));
    to += u.heads * a.width;
    const range seen = positions_of(a, r);
    for (std::int64_t h = u.head; h < u.head + u.heads; ++h) {
      const float slope = a.slopes ? a.slopes[h] : 0.0f;
      *state++ = {seen, slope, -1e30f, 0.0f};
    }
  }
  for (std::int64_t i = 0; i < u.rows * u.heads * m.stride; i += vec::lanes)
    store(m.totals + i, set1(0.0f));
}

/// Divides and rounds query `i` of the step, or leaves that to the merging of
/// parts.
inline void finish_query(const attention_args &a, const query_state &q,
                         float *total, std::int64_t i) {
  if (a.part) {
    float *out = static_cast<float *>(a.out) + i * (a.width + 2);
    store_all(out, total, a.width);
    out[a.width] = q.top;
    out[a.width + 1] = q.sum;
    return;
  }
  // Nothing seen leaves zeros; otherwise the sum is 1 or more.
  const vec sum = set1(q.sum > 1.0f ? q.sum : 1.0f);
  for (std::int64_t d = 0; d < a.width; d += vec::lanes)
    store(total + d, div(load(total + d), sum));
  with_type(a.out_type, [&](auto *tag) {
    using O = std::remove_pointer_t<decltype(tag)>;
    store_all(static_cast<O *>(a.out) + i * a.width, total, a.width);
  });
}

template <class T>
inline void end_unit(const attention_args &a, const attention_unit &u,
                     unit_memory<T> &m) {
  for (std::int64_t i = 0; i < u.rows * u.heads; ++i)
    finish_query(a, m.states[i], m.totals + i * m.stride,
                 (u.row + i / u.heads) * a.heads + u.head + i % u.heads);
}

/// Caches are of type C.
template <class T, class C>
inline void attend(const attention_args &a, const attention_unit &u) {
  unit_memory<T> m;
  begin_unit(a, u, m);
  const range all = positions_of(a, u);
  const std::int64_t kv_head = u.head / (a.heads / a.kv_heads);
  const std::int64_t count = u.rows * u.heads;
  for (std::int64_t first = all.begin / attention_tile * attention_tile;
       first < all.end; first += attention_tile) {
    const auto tile = tile_at<C>(a, a.row_slots[u.row], kv_head, all, first);
    if constexpr (std::is_same_v<T, C>)
      if (count <= query_rows) {
        all_queries<query_rows>(a, tile, tile, tile, 0, count, m);
        continue;
      }
    load_keys(tile, m.keys());
    load_values(tile, m.values);
    all_queries<query_rows>(a, tile, key_panel<T>{m.keys(), a.width},
                            value_panels{m.values}, 0, count, m);
  }
  end_unit(a, u, m);
}

/// Calls visit(unit) for all units of one KV head, in order.
template <class Visit>
inline void visit_units(const attention_args &a, std::int64_t kv_head,
                        Visit visit) {
  const std::int64_t group = a.heads / a.kv_heads;
  const std::int64_t heads = group < unit_queries ? group : unit_queries;
  const std::int64_t most = unit_queries / heads;
  for (std::int64_t row = 0, next = 0; row < a.rows; row = next) {
    while (next < a.rows && next - row < most &&
           a.row_slots[next] == a.row_slots[row])
      ++next;
    for (std::int64_t h = 0; h < group; h += heads)
      visit(attention_unit{row, next - row, kv_head * group + h,
                           h + heads < group ? heads : group - h});
  }
}

/// About what a unit costs: its tiles, each laid out once and read per query.
inline std::int64_t cost_of(const attention_args &a, const attention_unit &u) {
  const range all = positions_of(a, u);
  return (all.end - all.begin + attention_tile) * (u.rows * u.heads + 8);
}

/// Members take whole KV heads where these divide evenly, so that they read
/// what they wrote, else units of about equal cost.
template <class T, class C>
inline void attention_typed(const attention_args &a, work_share share) {
  if (a.kv_heads % share.parts == 0) {
    const range mine = range_of(a.kv_heads, share);
    for (std::int64_t h = mine.begin; h < mine.end; ++h)
      visit_units(a, h, [&](const attention_unit &u) { attend<T, C>(a, u); });
    return;
  }
  std::int64_t whole = 0, before = 0;
  visit_units(a, 0, [&](const attention_unit &u) { whole += cost_of(a, u); });
  whole *= a.kv_heads;
  for (std::int64_t h = 0; h < a.kv_heads; ++h)
    visit_units(a, h, [&](const attention_unit &u) {
      const std::int64_t cost = cost_of(a, u);
      if ((before + cost / 2) * share.parts / whole == share.part)
        attend<T, C>(a, u);
      before += cost;
    });
}

inline void attention(const attention_args &a, work_share share) {
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    if (a.cache == element_type::s8)
      attention_typed<T, std::int8_t>(a, share);
    else
      attention_typed<T, T>(a, share);
  });
}

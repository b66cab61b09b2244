// Kernels that go row by row: norms, rotary, gathers, cache writes, additions;
// included inside the namespace of an instruction set.

/// Four partial sums per lane keep the order of addition fixed and fast.
template <class F>
inline float sum_over(std::int64_t n, F term) {
  vec acc[4] = {set1(0.0f), set1(0.0f), set1(0.0f), set1(0.0f)};
  std::int64_t i = 0;
  for (; i + 4 * vec::lanes <= n; i += 4 * vec::lanes)
    for (int j = 0; j < 4; ++j)
      acc[j] = add(acc[j], term(i + j * vec::lanes));
  for (; i + vec::lanes <= n; i += vec::lanes)
    acc[0] = add(acc[0], term(i));
  return sum_of_lanes(add(add(acc[0], acc[1]), add(acc[2], acc[3])));
}

inline float sum_of_squares(const float *x, float mean, std::int64_t n) {
  const vec centre = set1(mean);
  float total = sum_over(n, [&](std::int64_t i) {
    const vec d = sub(load(x + i), centre);
    return mul(d, d);
  });
  for (std::int64_t i = n / vec::lanes * vec::lanes; i < n; ++i)
    total += (x[i] - mean) * (x[i] - mean);
  return total;
}

inline float sum_of(const float *x, std::int64_t n) {
  float total = sum_over(n, [&](std::int64_t i) { return load(x + i); });
  for (std::int64_t i = n / vec::lanes * vec::lanes; i < n; ++i)
    total += x[i];
  return total;
}

template <class T, class O>
inline void norm_row(const norm_args &a, const float *x, O *out) {
  const T *weight = static_cast<const T *>(a.weight);
  const T *bias = static_cast<const T *>(a.bias);
  const auto width = static_cast<float>(a.width);
  const float mean = bias ? sum_of(x, a.width) / width : 0.0f;
  const float variance = sum_of_squares(x, mean, a.width) / width;
  const float scale = 1.0f / ::sqrtf(variance + a.eps);
  std::int64_t i = 0;
  for (; i + vec::lanes <= a.width; i += vec::lanes) {
    vec y =
        mul(mul(sub(load(x + i), set1(mean)), set1(scale)), load(weight + i));
    if (bias)
      y = add(y, load(bias + i));
    store(out + i, y);
  }
  for (; i < a.width; ++i) {
    float y = (x[i] - mean) * scale * as_float(weight[i]);
    if (bias)
      y += as_float(bias[i]);
    assign(out[i], y);
  }
}

inline void norm(const norm_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  with_type(a.type, [&](auto *weight_tag) {
    with_type(a.out_type, [&](auto *out_tag) {
      using O = std::remove_pointer_t<decltype(out_tag)>;
      for (std::int64_t r = mine.begin; r < mine.end; ++r)
        norm_row<std::remove_pointer_t<decltype(weight_tag)>, O>(
            a, a.x + r * a.width, static_cast<O *>(a.out) + r * a.width);
    });
  });
}

/// Pairs (i, i + half), as many as whole vectors hold; returns how many.
template <class O>
inline std::int64_t rotate_halves(const rotary_args &a, const float *x,
                                  const float *table, O *out) {
  std::int64_t i = 0;
  for (; i + vec::lanes <= a.half; i += vec::lanes) {
    const vec cosine = load(table + i), sine = load(table + a.half + i);
    const vec low = load(x + i), high = load(x + a.half + i);
    store(out + i, sub(mul(low, cosine), mul(high, sine)));
    store(out + a.half + i, add(mul(high, cosine), mul(low, sine)));
  }
  return i;
}

template <class O>
inline void rotate_head(const rotary_args &a, const float *x,
                        const float *table, O *out) {
  const float *cosine = table, *sine = table + a.half;
  // Elements of a pair lie `apart`, and the next pair a `step` further on.
  const std::int64_t step = a.interleaved ? 2 : 1;
  const std::int64_t apart = a.interleaved ? 1 : a.half;
  std::int64_t i = a.interleaved ? 0 : rotate_halves(a, x, table, out);
  for (; i < a.half; ++i) {
    const std::int64_t low = i * step, high = low + apart;
    const float first = x[low], second = x[high];
    assign(out[low], first * cosine[i] - second * sine[i]);
    assign(out[high], second * cosine[i] + first * sine[i]);
  }
  store_all(out + 2 * a.half, x + 2 * a.half, a.width - 2 * a.half);
}

/// Members take whole heads where these divide evenly, so that they read what
/// they wrote, else rows and heads.
inline void rotary(const rotary_args &a, work_share share) {
  const bool even = a.heads % share.parts == 0;
  const range mine =
      even ? range_of(a.heads, share) : range_of(a.rows * a.heads, share);
  with_type(a.out_type, [&](auto *tag) {
    using O = std::remove_pointer_t<decltype(tag)>;
    const auto turn = [&](std::int64_t i) {
      const float *x = a.x + i * a.width;
      O *out = static_cast<O *>(a.out) + i * a.width;
      if (a.table)
        rotate_head(a, x, a.table + i / a.heads * 2 * a.half, out);
      else
        store_all(out, x, a.width);
    };
    for (std::int64_t r = 0; r < (even ? a.rows : 1); ++r)
      for (std::int64_t i = mine.begin; i < mine.end; ++i)
        turn(r * a.heads + i);
  });
}

/// The unit in which an s8 cache keeps the row of a head; NaN if any element
/// is.
template <class T>
inline float int8_scale(const T *x, std::int64_t n) {
  float most = 0.0f;
  for (std::int64_t i = 0; i < n; ++i) {
    const float v = __builtin_fabsf(as_float(x[i]));
    if (v != v)
      return v;
    most = v > most ? v : most;
  }
  return most / 127.0f;
}

template <class T>
inline void put(T &to, T x, float) {
  to = x;
}

template <class T>
inline void put(std::int8_t &to, T x, float scale) {
  float units = scale > 0.0f ? __builtin_nearbyintf(as_float(x) / scale) : 0.0f;
  units = units > -127.0f ? units : -127.0f; // NaN too
  to = static_cast<std::int8_t>(units < 127.0f ? units : 127.0f);
}

/// Element (head, d) of row r goes to `home` + d * `stride`. Threads share out
/// the elements of a row, not the rows: of two rows with one slot the last one
/// wins, as in a scatter.
template <class T, class C, class Home>
inline void write_typed(const cache_write_args &a, range mine,
                        std::int64_t stride, Home home) {
  const T *from = static_cast<const T *>(a.rows_in);
  for (std::int64_t r = 0; r < a.rows; ++r, from += a.kv_heads * a.width) {
    const std::int64_t slot = a.slots[r];
    if (slot < 0 || slot >= a.blocks * a.block)
      continue;
    for (std::int64_t i = mine.begin; i < mine.end;) {
      const std::int64_t head = i / a.width, last = (head + 1) * a.width;
      const std::int64_t end = last < mine.end ? last : mine.end;
      float scale = 1.0f;
      if constexpr (std::is_same_v<C, std::int8_t>)
        scale = int8_scale(from + head * a.width, a.width);
      C *to = static_cast<C *>(a.cache) +
              home(slot / a.block * a.kv_heads + head, slot % a.block);
      for (std::int64_t d = i - head * a.width; i < end; ++i, ++d)
        put(to[d * stride], from[i], scale);
    }
  }
}

template <class Home>
inline void write_cache(const cache_write_args &a, work_share share,
                        std::int64_t stride, Home home) {
  range mine = range_of(a.kv_heads * a.width, share);
  if (a.kv_heads % share.parts == 0) { // whole heads, as everywhere
    mine = range_of(a.kv_heads, share);
    mine = {mine.begin * a.width, mine.end * a.width};
  }
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    if (a.cache_type == element_type::s8)
      write_typed<T, std::int8_t>(a, mine, stride, home);
    else
      write_typed<T, T>(a, mine, stride, home);
  });
}

inline void write_keys(const cache_write_args &a, work_share share) {
  write_cache(a, share, a.block, [&](std::int64_t head, std::int64_t offset) {
    return head * a.width * a.block + offset;
  });
}

inline void write_values(const cache_write_args &a, work_share share) {
  write_cache(a, share, 1, [&](std::int64_t head, std::int64_t offset) {
    return (head * a.block + offset) * a.width;
  });
}

/// Threads share out the heads.
inline void write_scales(const cache_write_args &a, work_share share) {
  const range mine = range_of(a.kv_heads, share);
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    for (std::int64_t r = 0; r < a.rows; ++r) {
      const std::int64_t slot = a.slots[r];
      if (slot < 0 || slot >= a.blocks * a.block)
        continue;
      const T *from =
          static_cast<const T *>(a.rows_in) + r * a.kv_heads * a.width;
      float *to = static_cast<float *>(a.cache) +
                  slot / a.block * a.kv_heads * a.block + slot % a.block;
      for (std::int64_t h = mine.begin; h < mine.end; ++h)
        to[h * a.block] = int8_scale(from + h * a.width, a.width);
    }
  });
}

inline void gather(const gather_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    for (std::int64_t r = mine.begin; r < mine.end; ++r) {
      std::int64_t id = a.ids[r];
      id = id < 0 ? 0 : id >= a.entries ? a.entries - 1 : id;
      const T *from = static_cast<const T *>(a.table) + id * a.width;
      float *to = a.out + r * a.width;
      std::int64_t i = 0;
      for (; i + vec::lanes <= a.width; i += vec::lanes)
        store(to + i, load(from + i));
      for (; i < a.width; ++i)
        to[i] = as_float(from[i]);
    }
  });
}

inline void add_rows(const add_args &a, work_share share) {
  const range rows = range_of(a.rows, share);
  const range mine = {rows.begin * a.width, rows.end * a.width};
  if (!a.bias) {
    std::int64_t i = mine.begin;
    for (; i + vec::lanes <= mine.end; i += vec::lanes)
      store(a.out + i, add(load(a.x + i), load(a.y + i)));
    for (; i < mine.end; ++i)
      a.out[i] = a.x[i] + a.y[i];
    return;
  }
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const T *bias = static_cast<const T *>(a.bias);
    for (std::int64_t i = mine.begin; i < mine.end; ++i)
      a.out[i] = a.x[i] + (a.y[i] + as_float(bias[i % a.width]));
  });
}

// Rows to int8, each in units of a scale of its own; included inside the
// namespace of an instruction set.

/// As `int8_scale`; what is no number makes the sum of its products with zero
/// none, and is then looked for.
template <class T>
inline float row_scale(const T *x, std::int64_t n) {
  vec most = set1(0.0f), zero = set1(0.0f);
  std::int64_t i = 0;
  for (; i + vec::lanes <= n; i += vec::lanes) {
    const vec v = load(x + i);
    most = max(most, max(v, sub(set1(0.0f), v)));
    zero = fma(v, set1(0.0f), zero);
  }
  const float rest = int8_scale(x + i, n - i);
  if (sum_of_lanes(zero) != 0.0f)
    return int8_scale(x, n);
  const float scale = max_of_lanes(most) / 127.0f;
  return scale > rest ? scale : rest; // NaN is the second
}

inline void row_scales(const quantise_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const T *x = static_cast<const T *>(a.x);
    float *out = static_cast<float *>(a.out);
    for (std::int64_t r = mine.begin; r < mine.end; ++r) {
      const float scale = row_scale(x + r * a.width, a.width);
      out[r] = scale < 0x1p-120f ? 0.0f : scale;
    }
  });
}

template <class T>
inline void quantise_row(const T *x, float scale, std::int8_t *out,
                         std::int64_t n) {
  std::int64_t i = 0;
  if (!(scale > 0.0f && scale <= 0x1.fffffep127f)) {
    for (; i < n; ++i)
      out[i] = 0;
    return;
  }
  for (; i + vec::lanes <= n; i += vec::lanes) {
    const vec units = div(load(x + i), set1(scale));
    store(out + i, max(set1(-127.0f), min(set1(127.0f), units)));
  }
  for (; i < n; ++i)
    put(out[i], x[i], scale);
}

inline void quantise_rows(const quantise_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const T *x = static_cast<const T *>(a.x);
    auto *out = static_cast<std::int8_t *>(a.out);
    for (std::int64_t r = mine.begin; r < mine.end; ++r)
      quantise_row(x + r * a.width, a.scale[r], out + r * a.width, a.width);
  });
}

inline void group_sums(const group_sum_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  std::int32_t *out = a.out + mine.begin * ((a.width + a.group - 1) / a.group);
  for (std::int64_t r = mine.begin; r < mine.end; ++r)
    for (std::int64_t k = 0; k < a.width; k += a.group) {
      const std::int64_t left = a.width - k;
      *out++ = static_cast<std::int32_t>(sum_of_inputs(
          a.x + r * a.width + k, left < a.group ? left : a.group));
    }
}

// Rounding of f32 values on their own; included inside the namespace of an
// instruction set.

inline vec within(vec x, float limit) {
  // NaN stays: both give their second operand when one is NaN.
  return max(set1(-limit), min(set1(limit), x));
}

template <class O>
inline void round_values(const round_args &a, range mine) {
  const float *x = a.x;
  O *out = static_cast<O *>(a.out);
  std::int64_t i = mine.begin;
  for (; i + vec::lanes <= mine.end; i += vec::lanes) {
    const vec v = load(x + i);
    store(out + i, a.limit > 0 ? within(v, a.limit) : v);
  }
  for (; i < mine.end; ++i) {
    const bool cut = a.limit > 0 && (x[i] > a.limit || x[i] < -a.limit);
    assign(out[i], cut ? (x[i] > 0 ? a.limit : -a.limit) : x[i]);
  }
}

/// Rounds to T and back.
template <class T>
inline void round_and_widen(const round_args &a, range mine) {
  float *out = static_cast<float *>(a.out);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    T narrow;
    assign(narrow, a.x[i]);
    out[i] = as_float(narrow);
  }
}

inline void round_rows(const round_args &a, work_share share) {
  const range rows = range_of(a.rows, share);
  const range mine{rows.begin * a.width, rows.end * a.width};
  with_type(a.type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    if (a.widened)
      round_and_widen<T>(a, mine);
    else
      round_values<T>(a, mine);
  });
}

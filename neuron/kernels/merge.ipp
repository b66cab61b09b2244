// Merging of attention parts; included inside the namespace of an instruction
// set.

/// One head of one row.
inline void merge_head(const merge_args &a, const float *parts, float *total) {
  const std::int64_t stride = a.heads * (a.width + 2);
  float top = -1e30f;
  for (std::int64_t p = 0; p < a.count; ++p) {
    const float part = parts[p * stride + a.width];
    top = part > top ? part : top;
  }
  float sum = 0.0f;
  for (std::int64_t p = 0; p < a.count; ++p) {
    const float *part = parts + p * stride;
    float factor[vec::lanes];
    store(factor, exp(set1(part[a.width] - top)));
    sum += part[a.width + 1] * factor[0];
    for (std::int64_t d = 0; d < a.width; ++d)
      total[d] = (p == 0 ? 0.0f : total[d]) + part[d] * factor[0];
  }
  // Nothing seen leaves zeros; otherwise the sum is 1 or more.
  const float divisor = sum > 1.0f ? sum : 1.0f;
  for (std::int64_t d = 0; d < a.width; ++d)
    total[d] = total[d] / divisor;
}

inline void merge(const merge_args &a, work_share share) {
  alignas(64) float total[max_head_width];
  const range mine = range_of(a.rows * a.heads, share);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::int64_t row = i / a.heads, head = i % a.heads;
    merge_head(a, a.parts + (row * a.count * a.heads + head) * (a.width + 2),
               total);
    with_type(a.out_type, [&](auto *tag) {
      using O = std::remove_pointer_t<decltype(tag)>;
      store_all(static_cast<O *>(a.out) + i * a.width, total, a.width);
    });
  }
}

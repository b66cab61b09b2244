// One pass for the maxima of a row of logits and one for the sum of its
// exponentials; included inside the namespace of an instruction set.

/// The maximum of `n` values, NaNs left out; -3.4e38 if there is none above.
inline float max_of(const float *x, std::int64_t n) {
  vec highest = set1(-3.4e38f);
  std::int64_t i = 0;
  for (; i + vec::lanes <= n; i += vec::lanes)
    highest = max(load(x + i), highest);
  float top = max_of_lanes(highest);
  for (; i < n; ++i)
    top = x[i] > top ? x[i] : top;
  return top;
}

inline vocabulary_scan scan(const float *x, std::int64_t n, float *block_max) {
  float top = -3.4e38f;
  for (std::int64_t i = 0; i < n; i += scan_block) {
    const float highest = max_of(x + i, std::min(scan_block, n - i));
    *block_max++ = highest;
    top = highest > top ? highest : top;
  }
  const vec centre = set1(top);
  float total = sum_over(
      n, [&](std::int64_t j) { return exp(sub(load(x + j), centre)); });
  for (std::int64_t i = n / vec::lanes * vec::lanes; i < n; ++i)
    total += ::expf(x[i] - top);
  return {top, total};
}

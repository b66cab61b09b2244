// One pass for the maximum of a row of logits and one for the sum of its
// exponentials; included inside the namespace of an instruction set.

inline std::int32_t first_index_of(const float *x, std::int64_t n,
                                   float value) {
  std::int64_t i = 0;
  // Whole runs of vectors are skipped while their maximum is another one.
  for (; i + 4 * vec::lanes <= n; i += 4 * vec::lanes) {
    const vec low = max(load(x + i), load(x + i + vec::lanes));
    const vec high =
        max(load(x + i + 2 * vec::lanes), load(x + i + 3 * vec::lanes));
    if (!(max_of_lanes(max(low, high)) < value))
      break;
  }
  for (; i < n; ++i)
    if (x[i] == value)
      return static_cast<std::int32_t>(i);
  return 0; // only when every element is NaN
}

inline vocabulary_scan scan(const float *x, std::int64_t n) {
  float top = -3.4e38f;
  std::int64_t i = 0;
  if (n >= vec::lanes) {
    vec highest = set1(top);
    for (; i + vec::lanes <= n; i += vec::lanes)
      highest = max(load(x + i), highest);
    float lanes[vec::lanes];
    store(lanes, highest);
    for (const float lane : lanes)
      top = lane > top ? lane : top;
  }
  for (; i < n; ++i)
    top = x[i] > top ? x[i] : top;
  const vec centre = set1(top);
  float total = sum_over(
      n, [&](std::int64_t j) { return exp(sub(load(x + j), centre)); });
  for (i = n / vec::lanes * vec::lanes; i < n; ++i)
    total += ::expf(x[i] - top);
  return {first_index_of(x, n, top), top, total};
}

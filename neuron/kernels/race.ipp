// Scores and what they weigh, and the search for the tokens that can win a
// draw; included inside the namespace of an instruction set.

/// Calls f(begin, end) for parts of at most `scan_part` elements: sums in f32
/// stay short.
template <class F>
inline void for_parts(std::int64_t n, F f) {
  for (std::int64_t i = 0; i < n; i += scan_part)
    f(i, std::min(i + scan_part, n));
}

inline double weigh(const weigh_args &a) {
  const vec temperature = set1(a.temperature), top = set1(a.top);
  double total = 0;
  for_parts(a.n, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    vec sum = set1(0.0f);
    for (; i + vec::lanes <= end; i += vec::lanes) {
      const vec score = div(load(a.logits + i), temperature);
      const vec weight = exp(sub(score, top));
      store(a.scores + i, score);
      store(a.weights + i, weight);
      sum = add(sum, weight);
    }
    total += sum_of_lanes(sum);
    for (; i < end; ++i) {
      a.scores[i] = a.logits[i] / a.temperature;
      a.weights[i] = ::expf(a.scores[i] - a.top);
      total += a.weights[i];
    }
  });
  return total;
}

inline mass_and_count mass_within(const mass_args &a) {
  const vec centre = set1(a.centre), radius = set1(a.radius);
  const vec zero = set1(0.0f), one = set1(1.0f);
  mass_and_count out{0, 0};
  for_parts(a.n, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    vec mass = zero, count = zero;
    for (; i + vec::lanes <= end; i += vec::lanes) {
      const vec off = sub(load(a.scores + i), centre);
      mass = add(mass, select_within(load(a.weights + i), zero, off, radius));
      count = add(count, select_within(one, zero, off, radius));
    }
    out.mass += sum_of_lanes(mass);
    out.count += static_cast<std::int64_t>(sum_of_lanes(count));
    for (; i < end; ++i)
      if (::fabsf(a.scores[i] - a.centre) <= a.radius) {
        out.mass += a.weights[i];
        ++out.count;
      }
  });
  return out;
}

inline double mask_outside(const mass_args &a) {
  const vec centre = set1(a.centre), radius = set1(a.radius);
  const vec zero = set1(0.0f), nothing = set1(-__builtin_inff());
  double total = 0;
  for_parts(a.n, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    vec sum = zero;
    for (; i + vec::lanes <= end; i += vec::lanes) {
      const vec score = load(a.scores + i);
      const vec off = sub(score, centre);
      const vec weight = select_within(load(a.weights + i), zero, off, radius);
      store(a.scores + i, select_within(score, nothing, off, radius));
      store(a.weights + i, weight);
      sum = add(sum, weight);
    }
    total += sum_of_lanes(sum);
    for (; i < end; ++i) {
      if (!(::fabsf(a.scores[i] - a.centre) <= a.radius)) {
        a.scores[i] = -__builtin_inff();
        a.weights[i] = 0.0f;
      }
      total += a.weights[i];
    }
  });
  return total;
}

inline std::int64_t first_contender(const float *weights, std::int64_t first,
                                    std::int64_t n, std::uint64_t key,
                                    double bound) {
  std::int64_t i = first;
  for (; i + noise_lanes <= n; i += noise_lanes) {
    const unsigned found =
        contenders(weights + i, key, static_cast<std::uint64_t>(i), bound);
    if (found != 0)
      return i + __builtin_ctz(found);
  }
  while (i < n && !(noise_complement(key, static_cast<std::uint64_t>(i)) <
                    static_cast<double>(weights[i]) * bound))
    ++i;
  return i;
}

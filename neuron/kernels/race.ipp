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

/// What one part adds: float sums of whole vectors.
inline void add_part(const mass_args &a, const float *radii, std::int64_t begin,
                     std::int64_t end, nested_masses &out) {
  constexpr int n = nested_masses::radii;
  const vec zero = set1(0.0f), one = set1(1.0f), centre = set1(a.centre);
  vec mass[n], count[n], radius[n];
  for (int j = 0; j < n; ++j) {
    mass[j] = count[j] = zero;
    radius[j] = set1(radii[j]);
  }
  std::int64_t i = begin;
  for (; i + vec::lanes <= end; i += vec::lanes) {
    const vec off = sub(load(a.scores + i), centre);
    const vec weight = load(a.weights + i);
    for (int j = 0; j < n; ++j) {
      mass[j] = add(mass[j], select_within(weight, zero, off, radius[j]));
      count[j] = add(count[j], select_within(one, zero, off, radius[j]));
    }
  }
  for (int j = 0; j < n; ++j) {
    out.mass[j] += sum_of_lanes(mass[j]);
    out.count[j] += static_cast<std::int64_t>(sum_of_lanes(count[j]));
    for (std::int64_t k = i; k < end; ++k)
      if (::fabsf(a.scores[k] - a.centre) <= radii[j]) {
        out.mass[j] += a.weights[k];
        ++out.count[j];
      }
  }
}

inline nested_masses masses_within(const mass_args &a, const float *radii) {
  nested_masses out = {};
  for_parts(a.n, [&](std::int64_t begin, std::int64_t end) {
    add_part(a, radii, begin, end, out);
  });
  return out;
}

inline double moment(const mass_args &a) {
  // What was left out weighs nothing; its distance must stay finite.
  constexpr float far = -1e30f;
  double total = 0;
  for_parts(a.n, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin;
    vec sum = set1(0.0f);
    for (; i + vec::lanes <= end; i += vec::lanes) {
      const vec off = sub(load(a.scores + i), set1(a.centre));
      sum = fma(load(a.weights + i), max(off, set1(far)), sum);
    }
    total += sum_of_lanes(sum);
    for (; i < end; ++i)
      if (a.weights[i] > 0)
        total += double(a.weights[i]) * (double(a.scores[i]) - a.centre);
  });
  return total;
}

inline std::int64_t places_within(const mass_args &a, float inner,
                                  std::int32_t *places) {
  const vec centre = set1(a.centre), outside = set1(a.radius),
            inside = set1(inner);
  std::int64_t found = 0, i = 0;
  for (; i + vec::lanes <= a.n; i += vec::lanes) {
    const vec off = sub(load(a.scores + i), centre);
    unsigned left = lanes_within(off, outside) & ~lanes_within(off, inside);
    for (; left != 0; left &= left - 1)
      places[found++] = static_cast<std::int32_t>(i + __builtin_ctz(left));
  }
  for (; i < a.n; ++i) {
    const float off = ::fabsf(a.scores[i] - a.centre);
    if (off > inner && off <= a.radius)
      places[found++] = static_cast<std::int32_t>(i);
  }
  return found;
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

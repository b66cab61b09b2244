// Vector mathematics written once over the vector operations; included inside
// the namespace of an instruction set.

/// e^x to about 2 ulp. Zero far below -88, so that masked scores vanish
/// exactly, infinite above 88.8; NaN stays: `max` and `min` give their second
/// operand when one is NaN.
inline vec exp(vec x) {
  const vec clamped = max(set1(-110.0f), min(set1(89.0f), x));
  const vec n = round(mul(clamped, set1(1.44269504f)));
  // ln 2 in two parts, so that the remainder keeps its low bits.
  vec r = fma(n, set1(-0.693145752f), clamped);
  r = fma(n, set1(-1.42860677e-6f), r);
  vec p = set1(1.98412698e-4f);
  p = fma(p, r, set1(1.38888889e-3f));
  p = fma(p, r, set1(8.33333333e-3f));
  p = fma(p, r, set1(4.16666667e-2f));
  p = fma(p, r, set1(1.66666667e-1f));
  p = fma(p, r, set1(0.5f));
  p = fma(mul(p, r), r, add(r, set1(1.0f)));
  return scale_by_power(p, n);
}

inline vec silu(vec x) {
  const vec one = set1(1.0f);
  return div(x, add(one, exp(sub(set1(0.0f), x))));
}

/// 0.5 x (1 + tanh(u)) = x / (1 + e^(-2u)).
inline vec gelu_tanh(vec x) {
  const vec cube = mul(mul(x, x), x);
  const vec u = mul(set1(0.797884561f), fma(set1(0.044715f), cube, x));
  return div(x, add(set1(1.0f), exp(mul(set1(-2.0f), u))));
}

/// Applies the activation to `n` values, a multiple of the vector width.
inline void activate(act f, float *x, std::int64_t n) {
  switch (f) {
  case act::none:
    return;
  case act::silu:
    for (std::int64_t i = 0; i < n; i += vec::lanes)
      store(x + i, silu(load(x + i)));
    return;
  case act::gelu_tanh:
    for (std::int64_t i = 0; i < n; i += vec::lanes)
      store(x + i, gelu_tanh(load(x + i)));
    return;
  case act::relu:
    for (std::int64_t i = 0; i < n; i += vec::lanes)
      store(x + i, max(set1(0.0f), load(x + i)));
    return;
  case act::gelu_erf:
    for (std::int64_t i = 0; i < n; ++i)
      x[i] = 0.5f * x[i] * (1.0f + ::erff(x[i] * 0.707106781f));
    return;
  }
}

inline float as_float(float x) { return x; }
inline float as_float(bfloat16 x) { return to_float(x); }
inline float as_float(float16 x) { return to_float(x); }
inline float as_float(std::int8_t x) { return static_cast<float>(x); }
inline void assign(float &to, float x) { to = x; }
inline void assign(bfloat16 &to, float x) { to = to_bfloat16(x); }
inline void assign(float16 &to, float x) { to = to_float16(x); }

/// Converts `n` floats to T.
template <class T>
inline void store_all(T *to, const float *from, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + vec::lanes <= n; i += vec::lanes)
    store(to + i, load(from + i));
  for (; i < n; ++i)
    assign(to[i], from[i]);
}

/// Calls f(static_cast<T *>(nullptr)) for the C++ type behind `type`.
template <class F>
inline void with_type(element_type type, F f) {
  if (type == element_type::bf16)
    f(static_cast<bfloat16 *>(nullptr));
  else if (type == element_type::f16)
    f(static_cast<float16 *>(nullptr));
  else
    f(static_cast<float *>(nullptr));
}

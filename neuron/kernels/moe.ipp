// Mixture of experts: choosing experts, and moving rows to them and back;
// included inside the namespace of an instruction set.

/// How many experts come before expert `e`. Values carry a mark in their sign,
/// which does not count.
inline std::int64_t experts_before(const float *p, std::int64_t experts,
                                   std::int64_t e) {
  const float mine = ::fabsf(p[e]);
  std::int64_t before = 0;
  // Not greater instead of less or equal: a row of NaN chooses as many.
  for (std::int64_t i = 0; i < e; ++i)
    before += !(mine > ::fabsf(p[i]));
  for (std::int64_t i = e + 1; i < experts; ++i)
    before += ::fabsf(p[i]) > mine;
  return before;
}

inline void softmax_row(const float *x, float *p, std::int64_t n) {
  float top = x[0], sum = 0.0f;
  for (std::int64_t i = 1; i < n; ++i)
    top = x[i] > top ? x[i] : top;
  for (std::int64_t i = 0; i < n; ++i) {
    p[i] = ::expf(x[i] - top);
    sum += p[i];
  }
  for (std::int64_t i = 0; i < n; ++i)
    p[i] = ::fabsf(p[i] / sum); // no NaN with a sign
}

inline void route_row(const route_args &a, const float *logits, float *gates) {
  softmax_row(logits, gates, a.experts);
  float sum = 0.0f;
  for (std::int64_t e = 0; e < a.experts; ++e)
    if (experts_before(gates, a.experts, e) < a.chosen)
      sum += ::fabsf(gates[e]);
    else
      gates[e] = -gates[e]; // marked, and still there to compare with
  for (std::int64_t e = 0; e < a.experts; ++e)
    gates[e] = __builtin_signbit(gates[e]) ? 0.0f : gates[e] / sum;
}

inline void route(const route_args &a, work_share share) {
  const range mine = range_of(a.rows, share);
  for (std::int64_t r = mine.begin; r < mine.end; ++r)
    route_row(a, a.logits + r * a.experts, a.gates + r * a.experts);
}

/// Every thread finds all places and copies its share of the rows.
inline void dispatch(const dispatch_args &a, work_share share) {
  const auto bytes =
      a.width * static_cast<std::int64_t>(hlo::byte_size(a.type));
  std::int64_t place = 0;
  for (std::int64_t e = 0; e < a.experts; ++e) {
    if (share.part == 0)
      a.to.first[e] = static_cast<std::int32_t>(place);
    for (std::int64_t r = 0; r < a.rows && place < a.places; ++r) {
      const float gate = a.gates[r * a.experts + e];
      if (gate == 0.0f)
        continue;
      if (place % share.parts == share.part) {
        a.to.row[place] = static_cast<std::int32_t>(r);
        a.to.gate[place] = gate;
        __builtin_memcpy(static_cast<char *>(a.copies) + place * bytes,
                         static_cast<const char *>(a.x) + r * bytes,
                         static_cast<std::size_t>(bytes));
      }
      ++place;
    }
  }
  if (share.part == 0)
    a.to.first[a.experts] = static_cast<std::int32_t>(place);
}

/// Columns [begin, end) of one row and place; `begin` is a multiple of the
/// vector width, so that a column always takes the same path.
inline void add_scaled(float *out, const float *y, float gate,
                       std::int64_t begin, std::int64_t end) {
  std::int64_t i = begin;
  for (; i + vec::lanes <= end; i += vec::lanes)
    store(out + i, fma(set1(gate), load(y + i), load(out + i)));
  for (; i < end; ++i)
    out[i] += gate * y[i];
}

/// Threads share out columns, since rows have any number of places.
inline void combine(const combine_args &a, work_share share) {
  const range blocks =
      range_of((a.width + panel_width - 1) / panel_width, share);
  const std::int64_t begin = blocks.begin * panel_width;
  const std::int64_t end =
      blocks.end * panel_width < a.width ? blocks.end * panel_width : a.width;
  for (std::int64_t r = 0; r < a.rows; ++r)
    for (std::int64_t i = begin; i < end; ++i)
      a.out[r * a.width + i] = 0.0f;
  const std::int64_t places = a.from.first[a.experts];
  for (std::int64_t p = 0; p < places; ++p)
    add_scaled(a.out + a.from.row[p] * a.width, a.y + p * a.width,
               a.from.gate[p], begin, end);
}

#include "hlo/composites/paged_attention.hpp"

#include <vector>

namespace ganglion::hlo {

namespace {

struct sizes {
  std::int64_t rows, heads, width, kv_heads, block, table, context;
};

sizes sizes_of(std::span<const value> p) {
  sizes n{};
  n.rows = p[0]->form.dim(0);
  n.heads = p[0]->form.dim(1);
  n.width = p[0]->form.dim(2);
  n.kv_heads = p[1]->form.dim(1);
  n.block = p[1]->form.dim(3);
  n.table = p[5]->form.dim(1);
  n.context = n.table * n.block;
  return n;
}

/// The cache blocks of every row, [T, table, ...], in f32.
value blocks_of_rows(builder &b, value cache, value row_tables) {
  return b.convert(b.gather_rows(cache, row_tables), element_type::f32);
}

/// Keys [T, table, kv, d, P] to [T, kv, table * P, d].
value ordered_keys(builder &b, value keys, const sizes &n) {
  return b.reshape(b.transpose(keys, {0, 2, 1, 4, 3}),
                   {n.rows, n.kv_heads, n.context, n.width});
}

/// Values [T, table, kv, P, d] to [T, kv, table * P, d].
value ordered_values(builder &b, value values, const sizes &n) {
  return b.reshape(b.transpose(values, {0, 2, 1, 3, 4}),
                   {n.rows, n.kv_heads, n.context, n.width});
}

/// pred [T, kv, group, context]: which positions a row sees.
value visible(builder &b, value positions, value lengths, const sizes &n,
              std::int64_t window) {
  const dims pair{n.rows, n.context};
  const value j = b.iota(array_shape(element_type::s32, pair), 1);
  const value own = b.broadcast(positions, pair, {0});
  value causal = b.compare(comparison::le, j, own);
  if (window > 0) {
    const value end = b.add(j, b.filled_like(j, static_cast<double>(window)));
    causal =
        b.binary(opcode::and_, causal, b.compare(comparison::gt, end, own));
  }
  const value written =
      b.compare(comparison::lt, j, b.broadcast(lengths, pair, {0}));
  return b.broadcast(b.binary(opcode::and_, causal, written),
                     {n.rows, n.kv_heads, n.heads / n.kv_heads, n.context},
                     {0, 3});
}

value softmax(builder &b, value x) {
  const auto spread = [&](value v) {
    return b.broadcast(v, x->form.dimensions, {0, 1, 2});
  };
  const value top = b.reduce(opcode::maximum, x, -1e30, {3});
  const value e = b.unary(opcode::exponential, b.subtract(x, spread(top)));
  return b.divide(e, spread(b.reduce(opcode::add, e, 0.0, {3})));
}

/// scores + slope of the head * position of the key.
value biased(builder &b, value scores, value slopes, const sizes &n) {
  const dims &whole = scores->form.dimensions;
  const value each = b.reshape(slopes, {n.kv_heads, n.heads / n.kv_heads});
  const value j =
      b.iota(array_shape(element_type::f32, {n.rows, n.context}), 1);
  return b.add(scores, b.multiply(b.broadcast(each, whole, {1, 2}),
                                  b.broadcast(j, whole, {0, 3})));
}

value body_of(builder &b, std::span<const value> p,
              const attention_rules &rules) {
  const sizes n = sizes_of(p);
  const auto out = p[0]->form.type;
  const value tables = b.gather_rows(p[5], p[4]);
  const value keys = ordered_keys(b, blocks_of_rows(b, p[1], tables), n);
  const value values = ordered_values(b, blocks_of_rows(b, p[2], tables), n);
  const value query =
      b.reshape(b.convert(p[0], element_type::f32),
                {n.rows, n.kv_heads, n.heads / n.kv_heads, n.width});
  const value raw =
      b.dot(query, keys, {{3}, {3}, {0, 1}, {0, 1}}, element_type::f32);
  value scores = b.multiply(raw, b.filled_like(raw, rules.scale));
  if (p.size() > 7)
    scores = biased(b, scores, p[7], n);
  const value seen =
      visible(b, p[3], b.gather_rows(p[6], p[4]), n, rules.window);
  const value masked = b.select(seen, scores, b.filled_like(scores, -1e30));
  const value mixed = b.dot(softmax(b, masked), values,
                            {{3}, {2}, {0, 1}, {0, 1}}, element_type::f32);
  return b.convert(b.reshape(mixed, {n.rows, n.heads * n.width}), out);
}

} // namespace

value paged_attention(builder &b, value query, value keys, value values,
                      const attention_inputs &in,
                      const attention_rules &rules) {
  composite_attributes a;
  a.set("scale", rules.scale);
  if (rules.window > 0)
    a.set("window", rules.window);
  std::vector<value> operands{query,
                              keys,
                              values,
                              in.positions,
                              in.row_slots,
                              in.block_tables,
                              in.context_lengths};
  if (rules.slopes)
    operands.push_back(rules.slopes);
  return composite(b, "paged_attention", a, operands,
                   [&](builder &body, std::span<const value> p) {
                     return body_of(body, p, rules);
                   });
}

} // namespace ganglion::hlo

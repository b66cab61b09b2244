#include "hlo/composites/paged_attention.hpp"

#include <array>
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

/// The scales of every row's positions, [blocks, kv, P] to [T, kv, group,
/// table * P].
value scales_of_rows(builder &b, value scales, value row_tables,
                     const sizes &n) {
  const value ordered =
      b.reshape(b.transpose(b.gather_rows(scales, row_tables), {0, 2, 1, 3}),
                {n.rows, n.kv_heads, n.context});
  return b.broadcast(ordered,
                     {n.rows, n.kv_heads, n.heads / n.kv_heads, n.context},
                     {0, 1, 3});
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

/// The softmax of every row and head before its division.
struct unnormalised {
  value top, sum; ///< [T, kv, group]
  value mixed;    ///< [T, kv, group, d]
};

/// `by` [T, kv, group] along the last dimension of `x`.
value spread(builder &b, value by, value x) {
  return b.broadcast(by, x->form.dimensions, {0, 1, 2});
}

/// `scales` of the values may be null.
unnormalised mix(builder &b, value scores, value seen, value values,
                 value scales) {
  const value masked = b.select(seen, scores, b.filled_like(scores, -1e30));
  const value top = b.reduce(opcode::maximum, masked, -1e30, {3});
  const value e = b.multiply(
      b.unary(opcode::exponential, b.subtract(masked, spread(b, top, masked))),
      b.convert(seen, element_type::f32));
  const value weights = scales ? b.multiply(e, scales) : e;
  return {
      top, b.reduce(opcode::add, e, 0.0, {3}),
      b.dot(weights, values, {{3}, {2}, {0, 1}, {0, 1}}, element_type::f32)};
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

unnormalised attend(builder &b, std::span<const value> p,
                    const attention_rules &rules, const sizes &n) {
  const value tables = b.gather_rows(p[5], p[4]);
  const value keys = ordered_keys(b, blocks_of_rows(b, p[1], tables), n);
  const value values = ordered_values(b, blocks_of_rows(b, p[2], tables), n);
  const value query =
      b.reshape(b.convert(p[0], element_type::f32),
                {n.rows, n.kv_heads, n.heads / n.kv_heads, n.width});
  const value raw =
      b.dot(query, keys, {{3}, {3}, {0, 1}, {0, 1}}, element_type::f32);
  const bool scaled = p[1]->form.type == element_type::s8;
  const std::size_t slopes = scaled ? 9 : 7;
  value scores = b.multiply(raw, b.filled_like(raw, rules.scale));
  if (scaled)
    scores = b.multiply(scores, scales_of_rows(b, p[7], tables, n));
  if (p.size() > slopes)
    scores = biased(b, scores, p[slopes], n);
  const value seen =
      visible(b, p[3], b.gather_rows(p[6], p[4]), n, rules.window);
  // What is hidden may have any scale.
  const value weights = scaled
                            ? b.select(seen, scales_of_rows(b, p[8], tables, n),
                                       b.filled_like(scores, 0.0))
                            : nullptr;
  return mix(b, scores, seen, values, weights);
}

/// mixed / sum. What was seen counts at least 1 (the top itself), so the
/// maximum only keeps rows that saw nothing at zero.
value divided(builder &b, value mixed, value sum) {
  const value at_least_one = b.maximum(sum, b.filled_like(sum, 1.0));
  return b.divide(mixed, spread(b, at_least_one, mixed));
}

/// [T, kv, group] as the last column of [T, heads, 1].
value as_column(builder &b, value x, const sizes &n) {
  return b.reshape(x, {n.rows, n.heads, 1});
}

composite_attributes attributes_of(const attention_rules &rules) {
  composite_attributes a;
  a.set("scale", rules.scale);
  if (rules.window > 0)
    a.set("window", rules.window);
  return a;
}

std::vector<value> operands_of(value query, value keys, value values,
                               const attention_inputs &in,
                               const attention_rules &rules) {
  std::vector<value> operands{query,
                              keys,
                              values,
                              in.last_seen,
                              in.row_slots,
                              in.block_tables,
                              in.context_lengths};
  if (rules.key_scales)
    operands.insert(operands.end(), {rules.key_scales, rules.value_scales});
  if (rules.slopes)
    operands.push_back(rules.slopes);
  return operands;
}

} // namespace

value paged_attention(builder &b, value query, value keys, value values,
                      const attention_inputs &in, const attention_rules &rules,
                      element_type out) {
  composite_attributes a = attributes_of(rules);
  a.set("type", std::string(to_string(out)));
  return composite(b, "paged_attention", a,
                   operands_of(query, keys, values, in, rules),
                   [&](builder &body, std::span<const value> p) {
                     const sizes n = sizes_of(p);
                     const auto seen = attend(body, p, rules, n);
                     const value all = divided(body, seen.mixed, seen.sum);
                     return body.convert(
                         body.reshape(all, {n.rows, n.heads * n.width}), out);
                   });
}

value paged_attention_part(builder &b, value query, value keys, value values,
                           const attention_inputs &in,
                           const attention_rules &rules) {
  return composite(
      b, "paged_attention_part", attributes_of(rules),
      operands_of(query, keys, values, in, rules),
      [&](builder &body, std::span<const value> p) {
        const sizes n = sizes_of(p);
        const auto seen = attend(body, p, rules, n);
        const value whole = body.concatenate(
            std::array{body.reshape(seen.mixed, {n.rows, n.heads, n.width}),
                       as_column(body, seen.top, n),
                       as_column(body, seen.sum, n)},
            2);
        return body.reshape(whole, {n.rows, n.heads * (n.width + 2)});
      });
}

value merge_attention(builder &b, value parts, std::int64_t heads,
                      std::int64_t count, element_type out) {
  composite_attributes a;
  a.set("heads", heads)
      .set("parts", count)
      .set("type", std::string(to_string(out)));
  return composite(
      b, "merge_attention", a, std::array{parts},
      [&](builder &body, std::span<const value> p) {
        const auto rows = p[0]->form.dim(0);
        const auto width = p[0]->form.dim(1) / count / heads - 2;
        const value all = body.reshape(p[0], {rows, count, heads, width + 2});
        const value mixed = body.slice_in_dim(all, 3, 0, width);
        const auto column = [&](std::int64_t i) {
          return body.reshape(
              body.slice_in_dim(all, 3, width + i, width + i + 1),
              {rows, count, heads});
        };
        const value tops = column(0);
        const value top = body.reduce(opcode::maximum, tops, -1e30, {1});
        const value factor = body.unary(
            opcode::exponential,
            body.subtract(tops,
                          body.broadcast(top, tops->form.dimensions, {0, 2})));
        const value sum = body.reduce(
            opcode::add, body.multiply(factor, column(1)), 0.0, {1});
        const value total = body.reduce(
            opcode::add, body.multiply(mixed, spread(body, factor, mixed)), 0.0,
            {1});
        const value at_least_one =
            body.maximum(sum, body.filled_like(sum, 1.0));
        const value divided =
            body.divide(total, body.broadcast(at_least_one,
                                              total->form.dimensions, {0, 1}));
        return body.convert(body.reshape(divided, {rows, heads * width}), out);
      });
}

} // namespace ganglion::hlo

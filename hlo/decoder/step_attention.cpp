#include "hlo/decoder/step_attention.hpp"

#include "hlo/composites/columns.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/rotary.hpp"
#include "hlo/composites/rounding.hpp"

#include <cmath>

namespace ganglion::hlo {

namespace {

/// Builds one layer's attention.
class layer_attention {
public:
  layer_attention(step_context &c, std::int64_t i, const std::string &prefix,
                  value angles)
      : c_(c),
        local_(c.local),
        prefix_(prefix),
        caches_(c.in.caches_of(i)),
        angles_(angles),
        kv_ranks_(
            consecutive_groups(local_.tp_degree(), local_.ranks_of_kv_head())) {
    rules_.scale = 1.0 / std::sqrt(double(c.spec.head_dim));
    rules_.window = c.spec.window;
    rules_.slopes = c.in.optional_weight("alibi_slopes");
  }

  value build(value x) {
    auto [q, k, v] = projected(x);
    switch (local_.options().strategy) {
    case group_query::shard_over_batch:
      q = gather(q, c_.everybody);
      k = gather(k, c_.everybody);
      v = gather(v, c_.everybody);
      break;
    case group_query::all_gather_heads:
      k = gather(k, kv_ranks_);
      v = gather(v, kv_ranks_);
      break;
    default:
      if (local_.stripes() > 1)
        q = gather(q, kv_ranks_);
    }
    write(k, v);
    return attend(turned("query", q, local_.attended_heads()));
  }

private:
  struct projections {
    value query, key, values;
  };

  projections projected(value x) {
    if (!c_.options.form.fuse_qkv)
      return {project("query", x), project("key", x), project("value", x)};
    const value all = project("qkv", x);
    const auto q = local_.heads() * c_.spec.head_dim, k = local_.kv_columns();
    return {take_columns(c_.b, all, 0, q), take_columns(c_.b, all, q, k),
            take_columns(c_.b, all, q + k, k)};
  }

  value project(const std::string &name, value x) {
    return c_.project(prefix_ + name, x, activation::none, element_type::f32);
  }

  /// Columns of all ranks of a group side by side.
  value gather(value x, const std::vector<dims> &groups) {
    return groups[0].size() > 1 ? c_.b.all_gather(x, 1, groups) : x;
  }

  /// Queries or keys: normed and rotated as the model wants it, as heads.
  value turned(const std::string &name, value flat, std::int64_t heads) {
    if (c_.spec.query_key_norm)
      flat =
          head_norm(c_.b, flat, c_.in.weight(prefix_ + name + "_norm.weight"),
                    c_.spec.norm_eps);
    if (angles_)
      return c_.rounded(rotary(c_.b, flat, angles_, heads, c_.spec.rotary.pairs,
                               c_.unrounded(c_.type)),
                        c_.type);
    return as_heads(flat, heads);
  }

  value as_heads(value flat, std::int64_t heads) {
    return c_.rounded(split_heads(c_.b, flat, heads, c_.unrounded(c_.type)),
                      c_.type);
  }

  void write(value k, value v) {
    const value keys = turned("key", k, local_.kv_heads());
    const value values = as_heads(v, local_.kv_heads());
    const value slots = c_.in.write_slots;
    caches_[0] = write_keys(c_.b, keys, slots, caches_[0]);
    caches_[1] = write_values(c_.b, values, slots, caches_[1]);
    if (caches_.size() == 2)
      return;
    rules_.key_scales = caches_[2] =
        write_scales(c_.b, keys, slots, caches_[2]);
    rules_.value_scales = caches_[3] =
        write_scales(c_.b, values, slots, caches_[3]);
  }

  value attend(value q) {
    if (local_.stripes() > 1)
      return merged(q);
    if (local_.kv_partitions() > 1)
      return own_heads(q);
    return c_.rounded(paged_attention(c_.b, q, caches_[0], caches_[1],
                                      c_.in.attend, rules_,
                                      c_.unrounded(c_.type)),
                      c_.type);
  }

  /// Every rank has the rows of its sequences and zeros elsewhere: the sum of
  /// all, and of that the rank's heads.
  value own_heads(value q) {
    const value mine = paged_attention(c_.b, q, caches_[0], caches_[1],
                                       c_.in.attend, rules_, element_type::f32);
    return c_.rounded(c_.b.reduce_scatter(mine, 1, c_.everybody), c_.type);
  }

  /// Every rank has seen its part of the positions with all the group's
  /// queries: each takes the parts of its own queries and merges them.
  value merged(value q) {
    const value part = paged_attention_part(c_.b, q, caches_[0], caches_[1],
                                            c_.in.attend, rules_);
    const value parts = c_.b.all_to_all(part, 1, kv_ranks_);
    return c_.rounded(merge_attention(c_.b, parts, local_.heads(),
                                      local_.stripes(), c_.unrounded(c_.type)),
                      c_.type);
  }

  step_context &c_;
  const placement &local_;
  const std::string prefix_;
  const std::span<value> caches_; ///< as `layer_caches`
  value angles_;
  const std::vector<dims> kv_ranks_;
  attention_rules rules_;
};

} // namespace

value rotary_angles(step_context &c) {
  if (c.spec.position != position_kind::rotary)
    return nullptr;
  if (c.spec.rotary.dynamic)
    return dynamic_rotary_table(c.b, c.in.positions, c.in.rotary_lengths,
                                *c.spec.rotary.dynamic);
  const auto &f = c.spec.rotary.frequencies;
  const value frequencies = c.b.constant(
      literal::from_floats({static_cast<std::int64_t>(f.size())}, f));
  return rotary_table(c.b, c.in.positions, frequencies, c.spec.rotary.scale);
}

value attention_branch(step_context &c, std::int64_t i,
                       const std::string &prefix, value x, value angles) {
  return layer_attention(c, i, prefix, angles).build(x);
}

} // namespace ganglion::hlo

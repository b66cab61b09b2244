#include "hlo/decoder/placement.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace ganglion::hlo {

namespace {

using index_list = std::vector<std::int64_t>;

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The KV head that all of them read, -1 if none does, nothing if they differ.
std::optional<std::int64_t> common(std::span<const std::int64_t> kv_heads) {
  std::int64_t found = -1;
  for (const auto kv : kv_heads) {
    if (kv >= 0 && found >= 0 && kv != found)
      return std::nullopt;
    found = std::max(found, kv);
  }
  return found;
}

} // namespace

placement::placement(const decoder_spec &spec, const sharding_options &options)
    : all_heads_(spec.heads),
      all_kv_heads_(spec.kv_heads),
      head_dim_(spec.head_dim),
      options_(options),
      heads_(divide_up(spec.heads, options.tp_degree)),
      mlp_(divide_up(spec.mlp, options.tp_degree)),
      vocabulary_(divide_up(spec.vocabulary, options.tp_degree)),
      experts_(options.experts == expert_sharding::distributed
                   ? spec.experts / options.tp_degree
                   : spec.experts) {
  place_keys();
}

void placement::place_keys() {
  const auto tp = options_.tp_degree;
  attended_ = heads_;
  switch (options_.strategy) {
  case group_query::shard_over_batch:
    attended_ = all_heads_;
    kv_heads_ = all_kv_heads_;
    kv_columns_ = all_kv_heads_ * head_dim_ / tp;
    return;
  case group_query::all_gather_heads:
    kv_group_ = std::max<std::int64_t>(tp / all_kv_heads_, 1);
    kv_heads_ = std::max<std::int64_t>(all_kv_heads_ / tp, 1);
    kv_columns_ = kv_heads_ * head_dim_ / kv_group_;
    sharing_ = heads_ / kv_heads_;
    return;
  default:
    sharing_ = heads_sharing();
    kv_heads_ = heads_ / sharing_;
    kv_columns_ = kv_heads_ * head_dim_;
  }
  if (options_.shard_over_sequence) {
    kv_group_ = tp / all_kv_heads_;
    attended_ = heads_ * kv_group_;
  }
}

/// The heads of zeros stand after each KV head's query heads where every group
/// gets as many, else after all.
bool placement::pads_groups() const {
  const auto padding = heads_ * options_.tp_degree - all_heads_;
  return options_.tp_degree % all_kv_heads_ == 0 &&
         padding % all_kv_heads_ == 0;
}

/// All query heads in the order in which ranks take them.
index_list placement::head_order() const {
  const auto padded = heads_ * options_.tp_degree;
  const auto groups = pads_groups() ? all_kv_heads_ : 1;
  const auto group = all_heads_ / groups, padded_group = padded / groups;
  index_list out;
  for (std::int64_t i = 0; i < padded; ++i) {
    const auto within = i % padded_group;
    out.push_back(within < group ? i / padded_group * group + within : -1);
  }
  return out;
}

/// The KV head behind each query head of the same order.
index_list placement::kv_order() const {
  index_list out = head_order();
  const auto padded_group =
      static_cast<std::int64_t>(out.size()) / all_kv_heads_;
  const bool grouped = pads_groups();
  for (std::size_t i = 0; i < out.size(); ++i)
    if (grouped)
      out[i] = static_cast<std::int64_t>(i) / padded_group;
    else if (out[i] >= 0)
      out[i] /= all_heads_ / all_kv_heads_;
  return out;
}

/// The most query heads that can share one copy of a KV head on all ranks.
/// Heads that are replicated although ranks could have whole ones of their
/// own get a copy each.
std::int64_t placement::heads_sharing() const {
  if (options_.strategy == group_query::replicated_heads &&
      all_kv_heads_ % options_.tp_degree == 0)
    return 1;
  const index_list order = kv_order();
  const auto shared_everywhere = [&](std::int64_t count) {
    for (std::size_t i = 0; i < order.size(); i += count)
      if (!common(std::span(order).subspan(i, count)))
        return false;
    return true;
  };
  for (std::int64_t count = heads_; count > 1; --count)
    if (heads_ % count == 0 && shared_everywhere(count))
      return count;
  return 1;
}

index_list placement::heads_of(std::int64_t rank) const {
  const index_list order = head_order();
  return {order.begin() + rank * heads_, order.begin() + (rank + 1) * heads_};
}

index_list placement::kv_columns_of(std::int64_t rank) const {
  index_list out(static_cast<std::size_t>(kv_columns_));
  const bool linear = options_.strategy == group_query::shard_over_batch ||
                      options_.strategy == group_query::all_gather_heads;
  if (linear) {
    std::iota(out.begin(), out.end(), rank * kv_columns_);
    return out;
  }
  const index_list order = kv_order();
  for (std::int64_t i = 0; i < kv_columns_; ++i) {
    const auto first = rank * heads_ + i / head_dim_ * sharing_;
    const auto kv = *common(std::span(order).subspan(first, sharing_));
    out[i] = kv < 0 ? -1 : kv * head_dim_ + i % head_dim_;
  }
  return out;
}

std::vector<dims> consecutive_groups(std::int64_t ranks, std::int64_t size) {
  std::vector<dims> out;
  for (std::int64_t first = 0; first < ranks; first += size) {
    dims group(static_cast<std::size_t>(size));
    std::iota(group.begin(), group.end(), first);
    out.push_back(std::move(group));
  }
  return out;
}

} // namespace ganglion::hlo

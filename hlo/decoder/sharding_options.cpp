#include "hlo/decoder/sharding_options.hpp"

#include "hlo/support/error.hpp"

#include <array>
#include <utility>

namespace ganglion::hlo {

namespace {

constexpr std::array<std::pair<group_query, std::string_view>, 5> names{{
    {group_query::automatic, "auto"},
    {group_query::shard_over_heads, "shard-over-heads"},
    {group_query::replicated_heads, "replicated-heads"},
    {group_query::shard_over_batch, "shard-over-batch"},
    {group_query::all_gather_heads, "all-gather-heads"},
}};

std::string divisors_of(std::int64_t n) {
  std::string out;
  for (std::int64_t d = 1; d <= n; ++d)
    if (n % d == 0)
      out += (out.empty() ? "" : ", ") + std::to_string(d);
  return out;
}

void check_degree(const decoder_spec &spec, const sharding_options &wanted) {
  const auto tp = wanted.tp_degree;
  if (tp >= 1 && spec.heads % tp == 0)
    return;
  const std::string heads = std::to_string(spec.heads);
  if (tp < 1 || tp > spec.heads || !wanted.pad_heads)
    throw error(error_code::invalid_argument,
                std::to_string(tp) + " does not divide the model's " + heads +
                    " attention heads; accepted: " + divisors_of(spec.heads) +
                    ", or with pad_heads=true any up to " + heads,
                spec.family, "tensor_parallel_degree");
}

void check_experts(const decoder_spec &spec, const sharding_options &wanted) {
  if (wanted.experts == expert_sharding::split)
    return;
  if (spec.experts == 0)
    throw error(error_code::invalid_argument,
                "distributed, but the model has no experts; accepted: split",
                spec.family, "expert_sharding");
  if (spec.experts % wanted.tp_degree != 0)
    throw error(error_code::invalid_argument,
                "distributed, but tensor_parallel_degree " +
                    std::to_string(wanted.tp_degree) +
                    " does not divide the model's " +
                    std::to_string(spec.experts) +
                    " experts; accepted: split, or a "
                    "tensor_parallel_degree of " +
                    divisors_of(spec.experts),
                spec.family, "expert_sharding");
}

/// Why the model does not permit a strategy; empty when it does.
class rules {
public:
  rules(const decoder_spec &spec, std::int64_t tp, std::int64_t slots)
      : spec_(spec),
        tp_(tp),
        slots_(slots) {}

  std::string against(group_query g) const {
    switch (g) {
    case group_query::shard_over_heads:
      return against_heads();
    case group_query::shard_over_batch:
      return against_batch();
    case group_query::all_gather_heads:
      return against_gather();
    default:
      return {};
    }
  }

  std::string against_sequence() const {
    if (spec_.heads == spec_.kv_heads)
      return "every query head has keys of its own";
    if (spec_.window > 0 || spec_.position == position_kind::alibi)
      return "the model has a sliding window or ALiBi";
    if (tp_ % spec_.kv_heads != 0 || tp_ == spec_.kv_heads)
      return number(tp_) + " ranks are no multiple of " +
             number(spec_.kv_heads) + " KV heads";
    return against_padding();
  }

private:
  static std::string number(std::int64_t n) { return std::to_string(n); }

  std::string against_heads() const {
    if (spec_.kv_heads % tp_ == 0)
      return {};
    return number(tp_) + " ranks do not divide " + number(spec_.kv_heads) +
           " KV heads";
  }

  std::string against_batch() const {
    if (slots_ % tp_ != 0)
      return number(tp_) + " ranks do not divide a batch of " + number(slots_);
    if (spec_.heads % tp_ != 0)
      return number(tp_) + " ranks do not divide " + number(spec_.heads) +
             " heads";
    if (spec_.kv_heads * spec_.head_dim % tp_ != 0)
      return number(tp_) + " ranks do not divide the width of all KV heads";
    return {};
  }

  std::string against_gather() const {
    if (spec_.kv_heads % tp_ == 0)
      return {};
    if (tp_ % spec_.kv_heads != 0)
      return number(tp_) + " ranks are no multiple of " +
             number(spec_.kv_heads) + " KV heads";
    if (spec_.head_dim % (tp_ / spec_.kv_heads) != 0)
      return number(tp_ / spec_.kv_heads) + " ranks do not divide a head of " +
             number(spec_.head_dim);
    return against_padding();
  }

  /// Query heads of a KV head must end where its ranks end.
  std::string against_padding() const {
    const auto padded = (spec_.heads + tp_ - 1) / tp_ * tp_;
    if ((padded - spec_.heads) % spec_.kv_heads == 0)
      return {};
    return "padding " + number(spec_.heads) + " heads to " + number(padded) +
           " does not pad every KV group alike";
  }

  const decoder_spec &spec_;
  std::int64_t tp_, slots_;
};

} // namespace

std::string_view to_string(group_query g) {
  for (const auto &[strategy, name] : names)
    if (strategy == g)
      return name;
  return "auto";
}

std::optional<group_query> group_query_from(std::string_view text) {
  for (const auto &[strategy, name] : names)
    if (name == text)
      return strategy;
  return std::nullopt;
}

sharding_options resolve_sharding(const decoder_spec &spec,
                                  const sharding_options &wanted,
                                  std::int64_t slots,
                                  std::vector<std::string> &notes) {
  check_degree(spec, wanted);
  check_experts(spec, wanted);
  const rules can(spec, wanted.tp_degree, slots);
  sharding_options out = wanted;
  const auto leave = [&](group_query other) {
    if (wanted.strategy != group_query::automatic)
      notes.push_back("group_query_attention " +
                      std::string(to_string(out.strategy)) + ": " +
                      can.against(out.strategy) + "; using " +
                      std::string(to_string(other)));
    out.strategy = other;
  };
  if (out.strategy == group_query::automatic)
    out.strategy = group_query::shard_over_heads;
  if (out.strategy == group_query::all_gather_heads &&
      !can.against(out.strategy).empty())
    leave(group_query::replicated_heads);
  if (out.strategy == group_query::shard_over_batch &&
      !can.against(out.strategy).empty())
    leave(group_query::shard_over_heads);
  if (out.strategy == group_query::shard_over_heads &&
      !can.against(out.strategy).empty())
    leave(group_query::replicated_heads);
  if (!out.shard_over_sequence)
    return out;
  // A sequence is spread over the ranks that would hold copies of a KV head.
  std::string why = can.against_sequence();
  if (why.empty() && out.strategy != group_query::replicated_heads)
    why = "keys are placed " + std::string(to_string(out.strategy));
  if (!why.empty()) {
    notes.push_back("shard_over_sequence: " + why + "; not used");
    out.shard_over_sequence = false;
  }
  return out;
}

sharding_options plain_sharding(const decoder_spec &spec,
                                std::int64_t tp_degree) {
  std::vector<std::string> notes;
  sharding_options wanted;
  wanted.tp_degree = tp_degree;
  return resolve_sharding(spec, wanted, 1, notes);
}

} // namespace ganglion::hlo

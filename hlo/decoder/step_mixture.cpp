#include "hlo/decoder/step_mixture.hpp"

#include "hlo/composites/linear.hpp"
#include "hlo/composites/moe.hpp"

#include <algorithm>
#include <array>

namespace ganglion::hlo {

namespace {

/// The columns of the experts that this rank has.
value gates_of_rank(builder &b, value gates, std::int64_t experts) {
  const value rank = b.convert(b.partition_id(), element_type::s32);
  const value first =
      b.multiply(rank, b.constant_s32(static_cast<std::int32_t>(experts)));
  return b.dynamic_slice(gates, std::array{b.constant_s32(0), first},
                         {gates->form.dim(0), experts});
}

} // namespace

value mixture_branch(step_context &c, const std::string &prefix, value x) {
  const auto all = c.spec.experts, mine = c.local.experts();
  const value logits = linear(c.b, x, c.in.weight(prefix + "router.weight"),
                              nullptr, activation::none, element_type::f32);
  value gates = route(c.b, logits, c.spec.experts_per_token);
  if (mine < all)
    gates = gates_of_rank(c.b, gates, mine);
  std::vector<expert_weights> experts;
  for (std::int64_t e = 0; e < mine; ++e) {
    const std::string name = prefix + "experts." + std::to_string(e) + ".";
    experts.push_back({c.in.weight(name + "gate.weight"),
                       c.in.weight(name + "up.weight"),
                       c.in.weight(name + "down.weight"),
                       c.in.optional_weight(name + "gate.weight_scale"),
                       c.in.optional_weight(name + "up.weight_scale"),
                       c.in.optional_weight(name + "down.weight_scale")});
  }
  return expert_mlp(c.b, x, gates, experts, c.spec.act,
                    std::min(c.spec.experts_per_token, mine));
}

} // namespace ganglion::hlo

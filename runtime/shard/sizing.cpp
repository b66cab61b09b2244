#include "runtime/shard/sizing.hpp"

#include "hlo/support/error.hpp"
#include "neuron/instance.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

std::vector<std::int64_t> degrees_of(const hlo::decoder_spec &spec,
                                     const engine_config &config) {
  const auto &profile = neuron::profile_of(config.graph.instance);
  std::vector<std::int64_t> out;
  if (profile.tp_degrees.empty()) {
    for (std::int64_t d = 1; d <= 8; ++d)
      if (spec.heads % d == 0)
        out.push_back(d);
  } else {
    for (const auto d : profile.tp_degrees)
      if (d <= spec.heads)
        out.push_back(d);
  }
  if (config.graph.experts == hlo::expert_sharding::distributed)
    std::erase_if(out, [&](auto d) { return spec.experts % d != 0; });
  return out;
}

/// Bytes; what a config can ask for has no bound.
constexpr double most_told = 0x1p56;

degree_size size_at(const hlo::decoder_spec &spec, engine_config config,
                    std::int64_t degree) {
  config.graph.tensor_parallel_degree = degree;
  config.graph.pad_heads = true;
  const auto plan = plan_model(spec, config);
  // A full batch, whether or not it fits.
  const double each = double(plan.cache_bytes) / double(plan.blocks);
  const auto cache = static_cast<std::size_t>(
      std::min(each * double(plan.full_blocks()), most_told));
  const hlo::placement placed(spec, plan.sharding);
  return {degree, plan.weight_bytes, cache, plan.core_budget,
          placed.heads() * degree - spec.heads};
}

} // namespace

std::vector<degree_size> sizes_of(const hlo::decoder_spec &spec,
                                  const engine_config &config) {
  std::vector<degree_size> out;
  for (const auto degree : degrees_of(spec, config)) {
    try {
      out.push_back(size_at(spec, config, degree));
    } catch (const error &e) {
      out.push_back({.tp_degree = degree, .refusal = e.describe()});
    }
  }
  return out;
}

} // namespace ganglion::runtime

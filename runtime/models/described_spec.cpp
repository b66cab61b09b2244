#include "runtime/models/described_spec.hpp"

#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"
#include "runtime/models/family.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

/// How long sequences may be, and are where nothing is asked for.
void limit_positions(hlo::decoder_spec &spec, const json::value &config,
                     const rope_overrides &rope) {
  // What the original library takes where nothing better is known.
  constexpr std::int64_t usual_positions = 128;
  spec.position_limit = spec.n_positions;
  if (spec.position != hlo::position_kind::rotary)
    return;
  spec.position_limit =
      rope.theta ? 0 : stretched_positions(config, spec.n_positions);
  if (spec.rotary.dynamic)
    spec.n_positions =
        std::max(times_factor(spec.n_positions, spec.rotary.dynamic->factor),
                 usual_positions);
}

/// Weights of a quantised checkpoint are no plain matrices.
void refuse_quantised(const json::value &config) {
  const auto found = config.find("quantization_config");
  if (!found)
    return;
  const auto method = found->is_object()
                          ? found->get_string("quant_method", "unknown")
                          : found->dump();
  refuse(config, "quantization_config", "'" + method + "'",
         "none; quantize=static_int8 makes int8 weights of plain ones");
}

} // namespace

hlo::decoder_spec described_spec(const json::value &config,
                                 const rope_overrides &rope) {
  const auto &family = family_of(config);
  refuse_quantised(config);
  auto spec = family.spec_of(config);
  limit_positions(spec, config, rope);
  spec.presharded = config.get_bool("is_presharded_checkpoint", false);
  return spec;
}

} // namespace ganglion::runtime

// Arbitrary bytes as config.json: refused with an error, or a decoder whose
// weights can be listed and whose start can be planned.
#include "hlo/support/error.hpp"
#include "runtime/checkpoint/sharding_settings.hpp"
#include "runtime/config/neuron_block.hpp"
#include "runtime/models/described_spec.hpp"
#include "runtime/shard/model_plan.hpp"

#include <cmath>
#include <cstdlib>

using namespace ganglion;

namespace {

/// Whatever it throws must be typed, and no broken invariant.
template <class Action>
void attempt(Action action) {
  try {
    action();
  } catch (const error &e) {
    if (e.code() == error_code::internal)
      std::abort();
  }
}

void plan(const hlo::decoder_spec &spec) {
  for (const float f : spec.rotary.frequencies)
    if (!std::isfinite(f))
      std::abort();
  // Listing the weights of thousands of layers takes its time.
  if (spec.layers * std::max<std::int64_t>(spec.experts, 1) > 256)
    return;
  for (const std::int64_t degree : {1, 3, 4}) {
    runtime::engine_config config;
    config.graph.tensor_parallel_degree = degree;
    config.graph.pad_heads = true;
    attempt([&] {
      const auto p = runtime::plan_model(spec, config);
      if (p.n_positions < 1 || p.blocks < 1)
        std::abort();
    });
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  attempt([&] {
    const auto config = json::document::parse(text, "config.json");
    static const auto none =
        runtime::option_values::resolve(runtime::engine_options(), {});
    attempt([&] { runtime::neuron_block_settings(config.root(), none); });
    attempt([&] { runtime::sharding_from(config.root().at("presharded")); });
    plan(runtime::described_spec(config.root(), {}));
    plan(runtime::described_spec(config.root(), {.theta = 1e6, .scaling = {}}));
  });
  return 0;
}

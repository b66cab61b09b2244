#include "benchmarks/load/packing_time.hpp"

#include "hlo/support/clock.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/rank_weights.hpp"

#include <tbb/parallel_for.h>

namespace ganglion::benchmarks {

double seconds_to_pack(const runtime::engine_config &config) {
  const auto source = runtime::open_model(config.model);
  const auto plan = runtime::plan_model(source->spec(), config);
  const auto steps = runtime::compiled_steps::compile(source->spec(), plan,
                                                      neuron::selected_isa());
  const hlo::placement placed(source->spec(), plan.sharding);
  const steady_clock time;
  const auto start = time.now();
  const auto tables = runtime::shared_tables::load(source, *steps, placed);
  std::vector<std::shared_ptr<const runtime::rank_weights>> ranks(
      static_cast<std::size_t>(plan.tp_degree()));
  tbb::parallel_for(std::size_t{0}, ranks.size(), [&](std::size_t rank) {
    ranks[rank] = runtime::rank_weights::load(*source, *steps, placed,
                                              static_cast<std::int64_t>(rank),
                                              tables, {}, {});
  });
  return std::chrono::duration<double>(time.now() - start).count();
}

} // namespace ganglion::benchmarks

#include "runtime/shard/compiled_steps.hpp"

#include "hlo/support/error.hpp"
#include "neuron/compiler/compiler.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace ganglion::runtime {

std::shared_ptr<const compiled_steps>
compiled_steps::compile(const hlo::decoder_spec &spec, const model_plan &plan,
                        neuron::isa set) {
  auto out = std::make_shared<compiled_steps>();
  const auto sizes = plan.buckets();
  out->buckets_.resize(sizes.size());
  std::vector<hlo::step_graph> graphs(sizes.size());
  tbb::parallel_for(std::size_t{0}, sizes.size(), [&](std::size_t i) {
    const hlo::graph_options options = plan.graph(sizes[i]);
    graphs[i] = hlo::build_step_graph(spec, options);
    out->buckets_[i] = {options.rows, options.logit_rows,
                        neuron::compile(*graphs[i].graph, {set})};
  });
  out->weights_ = std::move(graphs.back().weights);
  out->cache_parameters_ = std::move(graphs.back().cache_parameters);
  return out;
}

const compiled_steps::bucket &
compiled_steps::for_rows(std::int64_t rows) const {
  for (const bucket &b : buckets_)
    if (rows <= b.rows)
      return b;
  throw error(error_code::internal, "a step plan exceeds the largest bucket");
}

std::size_t compiled_steps::arena_bytes() const {
  std::size_t most = 0;
  for (const bucket &b : buckets_)
    most = std::max(most, b.code->arena_bytes);
  return most;
}

} // namespace ganglion::runtime

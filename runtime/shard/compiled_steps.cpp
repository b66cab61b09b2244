#include "runtime/shard/compiled_steps.hpp"

#include "hlo/support/error.hpp"
#include "neuron/compiler/compiler.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

namespace ganglion::runtime {

namespace {

/// What a program's manifest says to people.
std::vector<manifest_field> about(const hlo::decoder_spec &spec,
                                  const hlo::graph_options &options) {
  return {
      {"family", spec.family},
      {"layers", std::to_string(spec.layers)},
      {"hidden", std::to_string(spec.hidden)},
      {"tensor_parallel_degree", std::to_string(options.sharding.tp_degree)},
      {"dtype", std::string(to_string(options.type))},
      {"rows", std::to_string(options.rows)},
      {"logit_rows", std::to_string(options.logit_rows)}};
}

} // namespace

std::shared_ptr<const compiled_steps>
compiled_steps::compile(const hlo::decoder_spec &spec, const model_plan &plan,
                        neuron::isa set, const artifact_set *artifacts) {
  auto out = std::make_shared<compiled_steps>();
  const auto sizes = plan.buckets();
  out->buckets_.resize(sizes.size());
  std::vector<hlo::step_graph> graphs(sizes.size());
  std::atomic<std::size_t> compilations = 0;
  const artifact_set none;
  const artifact_set &known = artifacts ? *artifacts : none;
  tbb::parallel_for(std::size_t{0}, sizes.size(), [&](std::size_t i) {
    const hlo::graph_options options = plan.graph(sizes[i]);
    graphs[i] = hlo::build_step_graph(spec, options);
    auto found = known.program_of(*graphs[i].graph, plan.compile(set),
                                  about(spec, options));
    compilations += found.compiled;
    out->buckets_[i] = {options.rows, options.logit_rows,
                        std::move(found.code)};
  });
  out->compilations_ = compilations;
  out->weights_ = std::move(graphs.back().weights);
  out->host_embedding_ = std::move(graphs.back().host_embedding);
  out->type_ = plan.type;
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

std::size_t missing_programs(const hlo::decoder_spec &spec,
                             const model_plan &plan,
                             const artifact_set &artifacts) {
  std::size_t missing = 0;
  for (const auto rows : plan.buckets()) {
    const auto graph = hlo::build_step_graph(spec, plan.graph(rows));
    missing += !artifacts.has_program(*graph.graph,
                                      plan.compile(neuron::selected_isa()));
  }
  return missing;
}

std::size_t compiled_steps::memory_bytes(int members) const {
  std::size_t most = 0;
  for (const bucket &b : buckets_)
    most = std::max(most, b.code->memory_bytes(members));
  return most;
}

} // namespace ganglion::runtime

#include "runtime/shard/compiled_steps.hpp"

#include "hlo/support/error.hpp"
#include "neuron/compiler/compiler.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

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

std::shared_ptr<const neuron::program> &program_in(compiled_steps::bucket &b,
                                                   hlo::step_part part) {
  return part == hlo::step_part::inputs   ? b.begin
         : part == hlo::step_part::layers ? b.layers
                                          : b.code;
}

/// What the root of a graph follows from.
std::set<std::int64_t> used_parameters(const hlo::module &m) {
  std::set<const hlo::instruction *> live{m.entry()->root()};
  std::set<std::int64_t> out;
  const auto &all = m.entry()->instructions();
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if (!live.contains(i->get()))
      continue;
    live.insert((*i)->operands.begin(), (*i)->operands.end());
    if ((*i)->op == hlo::opcode::parameter)
      out.insert((*i)->attrs.parameter_number);
  }
  return out;
}

/// "layers.5.mlp.up.weight" of 2 layers a run -> ("layers.1.mlp.up.weight", 2);
/// (..., -1) outside layers.
std::pair<std::string, std::int64_t> first_of(const std::string &name,
                                              std::int64_t unroll) {
  const std::string prefix = "layers.";
  if (!name.starts_with(prefix))
    return {name, -1};
  const auto dot = name.find('.', prefix.size());
  const auto layer =
      std::stoll(name.substr(prefix.size(), dot - prefix.size()));
  return {prefix + std::to_string(layer % unroll) + name.substr(dot),
          layer / unroll};
}

std::vector<std::optional<compiled_steps::layer_place>>
layer_places(const hlo::step_graph &graph, std::int64_t unroll,
             std::int64_t layers) {
  std::vector<std::optional<compiled_steps::layer_place>> out(
      graph.graph->entry()->parameters().size());
  const auto &caches = graph.cache_parameters;
  const auto of_run = caches.size() / static_cast<std::size_t>(layers / unroll);
  for (std::size_t i = 0; i < caches.size(); ++i)
    out[static_cast<std::size_t>(caches[i])] = {
        caches[i % of_run], static_cast<std::int64_t>(i / of_run)};
  std::map<std::string, std::int64_t> numbers;
  for (const auto &w : graph.weights)
    numbers[w.name] = w.parameter_number;
  for (const auto &w : graph.weights)
    if (const auto [name, run] = first_of(w.name, unroll); run >= 0)
      out[static_cast<std::size_t>(w.parameter_number)] = {numbers.at(name),
                                                           run};
  return out;
}

} // namespace

std::shared_ptr<const compiled_steps>
compiled_steps::compile(const hlo::decoder_spec &spec, const model_plan &plan,
                        neuron::isa set, const artifact_set *artifacts) {
  auto out = std::make_shared<compiled_steps>();
  const auto sizes = plan.buckets();
  const auto parts = plan.parts();
  out->buckets_.resize(sizes.size());
  std::vector<std::vector<hlo::step_graph>> graphs(sizes.size());
  std::atomic<std::size_t> compilations = 0;
  const artifact_set none;
  const artifact_set &known = artifacts ? *artifacts : none;
  tbb::parallel_for(std::size_t{0}, sizes.size(), [&](std::size_t i) {
    const hlo::graph_options options = plan.graph(sizes[i]);
    bucket &b = out->buckets_[i];
    b.rows = options.rows;
    b.logit_rows = options.logit_rows;
    for (const auto part : parts) {
      graphs[i].push_back(hlo::build_step_graph(spec, options, part));
      auto found = known.program_of(*graphs[i].back().graph, plan.compile(set),
                                    about(spec, options));
      compilations += found.compiled;
      program_in(b, part) = std::move(found.code);
    }
  });
  out->compilations_ = compilations;
  out->describe_parameters(spec, plan, graphs.back());
  hlo::step_graph &last = graphs.back().back();
  out->weights_ = std::move(last.weights);
  out->host_embedding_ = std::move(last.host_embedding);
  out->type_ = plan.type;
  out->cache_parameters_ = std::move(last.cache_parameters);
  return out;
}

/// Each parameter as the program that uses it wants it. The program of some
/// layers speaks for all.
void compiled_steps::describe_parameters(
    const hlo::decoder_spec &spec, const model_plan &plan,
    std::vector<hlo::step_graph> &largest) {
  const bucket &b = buckets_.back();
  parameters_ = b.code->parameters;
  places_.resize(parameters_.size());
  if (!b.layers)
    return;
  stream_parameter_ = largest.back().stream_parameter;
  layer_runs_ = spec.layers / plan.form.unroll;
  places_ = layer_places(largest.back(), plan.form.unroll, spec.layers);
  const auto take = [&](const hlo::step_graph &part, const auto &code) {
    for (const auto number : used_parameters(*part.graph))
      parameters_[static_cast<std::size_t>(number)] =
          code->parameters[static_cast<std::size_t>(number)];
  };
  take(largest[0], b.begin);
  take(largest[1], b.layers);
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i]) {
      const auto &first =
          parameters_[static_cast<std::size_t>(places_[i]->parameter)];
      parameters_[i].form = first.form;
      parameters_[i].how = first.how;
      parameters_[i].order = first.order;
    }
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
    for (const auto part : plan.parts()) {
      const auto graph = hlo::build_step_graph(spec, plan.graph(rows), part);
      missing += !artifacts.has_program(*graph.graph,
                                        plan.compile(neuron::selected_isa()));
    }
  }
  return missing;
}

std::size_t compiled_steps::memory_bytes(int members) const {
  std::size_t most = 0;
  for (const bucket &b : buckets_)
    for (const auto &code : {b.code, b.begin, b.layers})
      if (code)
        most = std::max(most, code->memory_bytes(members));
  return most;
}

} // namespace ganglion::runtime

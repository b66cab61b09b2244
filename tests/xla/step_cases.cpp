// Writes step graphs of golden models as protos, and for a prefill, a chunk, a
// mixed batch and a decode the inputs of every rank and what the host device
// makes of them: for XLA to run the same. Argument: the directory.
#include "apps/cli/module_values.hpp"
#include "hlo/passes/inline_composites.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/module_run.hpp"
#include "tests/neuron/step_case.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::element_type;

namespace {

struct named_step {
  const char *name;
  std::vector<step_row> rows;
};

const std::vector<named_step> steps = {
    {"prefill", {{11, 0, 0}, {42, 1, 0}, {7, 2, 0}, {99, 3, 0, true}}},
    {"chunk", {{5, 4, 0}, {63, 5, 0}, {8, 6, 0, true}}},
    {"mixed",
     {{12, 7, 0, true}, {3, 0, 2}, {17, 1, 2}, {80, 2, 2}, {29, 3, 2, true}}},
    {"decode", {{31, 8, 0, true}, {2, 4, 2, true}}},
};

void write(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes << std::flush;
  if (!file)
    throw error(error_code::unavailable, "cannot write file", path);
}

/// The forms of a graph that XLA gets: as it is, inlined, and after our passes.
void write_modules(const hlo::module &graph, const std::string &directory) {
  write(directory + "/plain.hlo.pb", hlo::serialise(graph));
  const auto optimised =
      neuron::optimise(graph, {neuron::available_isas().back()});
  write(directory + "/optimised.hlo.pb", hlo::serialise(*optimised));
  const auto inlined = hlo::clone(graph);
  hlo::inline_composites(*inlined);
  inlined->remove_unused_computations();
  write(directory + "/inlined.hlo.pb", hlo::serialise(*inlined));
}

void write_case(const std::string &root, const std::string &name,
                const step_case &c) {
  const std::string directory = root + "/" + name;
  std::filesystem::create_directories(directory);
  write_modules(*c.step.graph, directory);
  const auto ranks = c.options.sharding.tp_degree;
  apps::module_values arguments;
  for (std::int64_t r = 0; r < ranks; ++r)
    arguments.push_back(c.arguments(steps[0].rows, r));
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const auto stem = directory + "/" + std::to_string(s) + "-" + steps[s].name;
    for (std::size_t r = 0; r < arguments.size(); ++r) {
      auto inputs = c.inputs(steps[s].rows, static_cast<std::int64_t>(r));
      std::move(inputs.begin(), inputs.end(), arguments[r].begin());
    }
    apps::write_results(arguments, stem + ".inputs.safetensors");
    auto results = neuron::run_module(*c.step.graph, arguments,
                                      {neuron::available_isas().back()});
    apps::write_results(results, stem + ".expected.safetensors");
    for (std::size_t r = 0; r < arguments.size(); ++r)
      for (std::size_t k = 0; k < c.step.cache_parameters.size(); ++k)
        arguments[r][static_cast<std::size_t>(c.step.cache_parameters[k])] =
            std::move(results[r][k + 1]);
  }
  std::printf("%s\n", name.c_str());
}

void write_families(const std::string &root) {
  using enum hlo::quantisation;
  for (const std::string model :
       {"bloom", "gpt2", "gpt_bigcode", "gpt_neox", "gptj", "llama", "llama3",
        "llama-rope-dynamic", "mistral", "mixtral", "opt", "qwen2", "qwen3"}) {
    for (const std::int64_t ranks : {1, 2})
      write_case(root, model + ",tp=" + std::to_string(ranks),
                 step_case(model, element_type::f32, ranks));
    write_case(root, model + ",int8",
               step_case(model, element_type::f32, {1}, {}, static_int8));
    write_case(root, model + ",kv-int8",
               step_case(model, element_type::f32, {1}, {},
                         hlo::quantisation::none, hlo::cache_quantisation::s8));
  }
}

void write_strategies(const std::string &root) {
  using enum hlo::group_query;
  const auto add = [&](const char *model, const char *option,
                       const hlo::sharding_options &s) {
    write_case(root, std::string(model) + "," + option,
               step_case(model, element_type::f32, s));
  };
  for (const char *model : {"llama", "qwen3"}) {
    add(model, "replicated-heads", {2, replicated_heads});
    add(model, "shard-over-batch", {4, shard_over_batch});
    add(model, "all-gather-heads", {4, all_gather_heads});
    add(model, "shard-over-sequence", {4, automatic, true});
    add(model, "pad-heads", {3, automatic, false, true});
  }
  add("mixtral", "whole-experts", whole_experts(2));
}

void write_forms(const std::string &root) {
  hlo::graph_form forms[6];
  forms[0].attention_layout = hlo::hidden_layout::bsh;
  forms[1].collectives_layout = hlo::hidden_layout::bsh;
  forms[2].all_reduce_type = element_type::bf16;
  forms[3].logits_type = element_type::f16;
  forms[4].saturate_infinity = true;
  forms[5].sequence_parallel_threshold = 4; // of 8 rows
  const char *const names[] = {"attention-bsh",     "collectives-bsh",
                               "all-reduce-bf16",   "logits-f16",
                               "saturate-infinity", "sequence-parallel"};
  for (const std::string model : {"llama", "opt", "bloom", "gptj"})
    for (std::size_t f = 0; f < std::size(forms); ++f)
      write_case(root, model + "," + names[f],
                 step_case(model, element_type::f32, {2}, forms[f]));
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::string root = argc == 2 ? argv[1] : "";
    if (root.empty())
      throw error(error_code::invalid_argument, "expected one directory",
                  "command line");
    write_families(root);
    write_strategies(root);
    write_forms(root);
    return EXIT_SUCCESS;
  } catch (const error &e) {
    std::fprintf(stderr, "xla_step_cases: %s\n", e.describe().c_str());
    return EXIT_FAILURE;
  }
}

// Writes random modules as protos with their inputs and what the host device
// makes of them, for XLA to run the same. Arguments: the directory and how
// many.
#include "apps/cli/module_values.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/support/error.hpp"
#include "neuron/compiler/module_run.hpp"
#include "tests/neuron/typed_module.hpp"

#include <cstdio>
#include <fstream>

using namespace ganglion;

namespace {

void write_case(const std::string &stem, unsigned seed) {
  testing::typed_module r(seed);
  std::ofstream(stem + ".hlo.pb", std::ios::binary) << hlo::serialise(*r.graph);
  std::ofstream exact(stem + ".exact");
  for (const bool e : r.certain)
    exact << (e ? "1\n" : "0\n");
  apps::module_values arguments;
  arguments.push_back(std::move(r.arguments));
  apps::write_results(arguments, stem + ".inputs.safetensors");
  apps::write_results(neuron::run_module(*r.graph, arguments,
                                         {neuron::available_isas().back()}),
                      stem + ".expected.safetensors");
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 3)
      throw error(error_code::invalid_argument,
                  "expected a directory and a number", "command line");
    const auto count = static_cast<unsigned>(std::stoul(argv[2]));
    for (unsigned seed = 1; seed <= count; ++seed)
      write_case(std::string(argv[1]) + "/" + std::to_string(seed), seed);
    return EXIT_SUCCESS;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "xla_random_cases: %s\n", e.what());
    return EXIT_FAILURE;
  }
}

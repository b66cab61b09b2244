// ganglion partition, and starts from what it wrote.
#include "actors/engine.hpp"
#include "runtime/config/load_config.hpp"
#include "runtime/json/reader.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using ganglion::testing::fixture;
using ganglion::testing::run_command;
using ganglion::testing::scratch_directory;

namespace {

const std::string model = fixture("e2e/e2e-gpt2");

std::string partition(const std::string &schema, const std::string &to) {
  const auto r =
      run_command({"partition", "--model", model, "--tp-degree", "2",
                   "--max-rolling-batch-size", "4", "--save-mp-checkpoint-path",
                   to, "--partition-schema", schema});
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
  return r.out;
}

std::string generate(std::vector<std::string> options) {
  std::vector<std::string> arguments{"generate", "--max-new-tokens", "12",
                                     "--log-level", "error"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back("Hello");
  const auto r = run_command(arguments);
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
  return r.out;
}

/// Programs that an engine started like this had to compile.
std::size_t compilations(const std::vector<std::string> &options) {
  const runtime::command_spec spec{.name = "serve"};
  const auto config = runtime::load_config(
      {runtime::parse_command_line(spec, options).engine, {}, std::nullopt});
  engine e(config.config);
  e.wait_until_ready();
  BOOST_TEST(e.status().programs > 0u);
  return e.status().compilations;
}

} // namespace

BOOST_AUTO_TEST_SUITE(partition_command)

BOOST_AUTO_TEST_CASE(a_start_from_the_result_compiles_nothing) {
  const auto expected = generate({"--model", model, "--tp-degree", "2"});
  for (const char *schema : {"safetensors", "optimum"}) {
    const scratch_directory to;
    partition(schema, to / "out");
    BOOST_TEST(compilations({"--model", to / "out"}) == 0u, schema);
    BOOST_TEST(generate({"--model", to / "out"}) == expected, schema);
  }
  BOOST_TEST(compilations({"--model", model, "--tp-degree", "2"}) > 0u);
}

BOOST_AUTO_TEST_CASE(compile_only_serves_the_model_it_was_made_from) {
  const scratch_directory to;
  partition("compile_only", to / "out");
  const std::vector<std::string> options{"--model",
                                         model,
                                         "--tp-degree",
                                         "2",
                                         "--max-rolling-batch-size",
                                         "4",
                                         "--compiled-graph-path",
                                         to / "out/compiled"};
  BOOST_TEST(compilations(options) == 0u);
  BOOST_TEST(!std::filesystem::exists(to / "out/model.safetensors"));
}

BOOST_AUTO_TEST_CASE(inspect_counts_what_is_to_compile) {
  const scratch_directory to;
  partition("optimum", to / "out");
  const auto told = [](const std::string &path) {
    return run_command({"inspect", "--model", path}).out;
  };
  BOOST_TEST(told(to / "out").find("programs 2, 0 to compile") !=
             std::string::npos);
  BOOST_TEST(told(model).find("programs 2, 2 to compile") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_options_are_refused_by_field) {
  const scratch_directory to;
  partition("safetensors", to / "out");
  const auto r = run_command(
      {"generate", "--model", to / "out", "--tp-degree", "1", "Hello"});
  BOOST_TEST(r.code == 2);
  BOOST_TEST(r.last_error_line().find("tensor_parallel_degree: is 2 in the "
                                      "compiled artefacts, 1 in this start") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(says_what_it_was_made_with) {
  const scratch_directory to;
  partition("optimum", to / "out");
  const auto block = json::document::load(to / "out/config.json");
  const auto neuron = block.root().at("neuron");
  BOOST_TEST(neuron.at("num_cores").as_int() == 2);
  BOOST_TEST(neuron.at("batch_size").as_int() == 4);
  std::ifstream file(to / "out/VERSION");
  std::string version;
  std::getline(file, version);
  BOOST_TEST(version == neuron.at("compiler_version").as_string());
  BOOST_TEST(std::filesystem::exists(to / "out/serving.properties"));
}

BOOST_AUTO_TEST_CASE(refuses_to_write_over_the_model) {
  const auto r = run_command(
      {"partition", "--model", model, "--save-mp-checkpoint-path", model});
  BOOST_TEST(r.code == 2);
  BOOST_TEST(r.last_error_line().find("save_mp_checkpoint_path") !=
             std::string::npos);
  BOOST_TEST(run_command({"partition", "--model", model}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()

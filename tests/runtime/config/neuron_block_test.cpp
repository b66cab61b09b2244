#include "runtime/config/command_line.hpp"
#include "runtime/config/load_config.hpp"
#include "runtime/config/neuron_block.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const command_spec serve{.name = "serve"};

loaded_config load(const scratch_directory &dir,
                   std::vector<std::string> arguments,
                   const environment &variables = {}) {
  arguments.push_back("--model=" + dir.path());
  return runtime::load_config(
      {parse_command_line(serve, arguments).engine, variables, std::nullopt});
}

void write_block(const scratch_directory &dir) {
  dir.write("config.json",
            R"({"neuron": )" + neuron_block(2, 96, 5, "bf16", "1") + "}");
}

} // namespace

BOOST_AUTO_TEST_SUITE(neuron_block)

BOOST_AUTO_TEST_CASE(sets_what_nobody_else_did) {
  const scratch_directory dir;
  write_block(dir);
  const auto loaded = load(dir, {});
  BOOST_TEST(loaded.config.graph.tensor_parallel_degree == 2);
  BOOST_TEST(loaded.config.graph.n_positions == 96);
  BOOST_TEST(loaded.config.scheduling.max_rolling_batch_size == 5);
  BOOST_TEST((loaded.config.model.dtype == weight_dtype::bf16));
  BOOST_TEST(loaded.values.at("n_positions").key == "neuron.sequence_length");
}

BOOST_AUTO_TEST_CASE(agrees_with_equal_and_open_options) {
  const scratch_directory dir;
  write_block(dir);
  const auto loaded = load(dir, {"--tp-degree", "2", "--n-positions", "auto",
                                 "--dtype", "bfloat16"});
  BOOST_TEST(loaded.config.graph.n_positions == 96);
}

BOOST_AUTO_TEST_CASE(conflicts_are_refused_by_field) {
  const scratch_directory dir;
  write_block(dir);
  const auto refusal = [&](std::vector<std::string> arguments) {
    return error_text([&] { load(dir, std::move(arguments)); });
  };
  BOOST_TEST(refusal({"--tp-degree", "4"}) ==
             "invalid_argument: command line: --tp-degree: 4 is asked for "
             "(command line), but the model was compiled for 2, says "
             "neuron.num_cores in " +
                 dir.path() + "/config.json");
  BOOST_TEST(contains(refusal({"--n-positions", "95"}),
                      "for 96, says neuron.sequence_length"));
  BOOST_TEST(contains(refusal({"--max-rolling-batch-size", "4"}),
                      "for 5, says neuron.batch_size"));
  BOOST_TEST(contains(refusal({"--dtype", "f32"}),
                      "for bf16, says neuron.auto_cast_type"));
  BOOST_TEST(contains(error_text([&] {
                        load(dir, {}, {{"TENSOR_PARALLEL_DEGREE", "8"}});
                      }),
                      "8 is asked for (environment)"));
}

BOOST_AUTO_TEST_CASE(bad_values_are_refused_by_field) {
  const scratch_directory dir;
  dir.write("config.json", R"({"neuron": {"num_cores": 1000}})");
  BOOST_TEST(contains(error_text([&] { load(dir, {}); }), "neuron.num_cores"));
  dir.write("config.json", R"({"neuron": {"num_cores": [1]}})");
  BOOST_TEST(contains(error_text([&] { load(dir, {}); }), "neuron.num_cores"));
  dir.write("config.json", R"({"neuron": {"auto_cast_type": null}})");
  BOOST_TEST(error_text([&] { load(dir, {}); }) == "no error");
}

BOOST_AUTO_TEST_CASE(the_cache_is_where_the_user_has_one) {
  const scratch_directory dir;
  const auto cache = [&](std::vector<std::string> arguments,
                         const environment &variables) {
    return load(dir, std::move(arguments), variables).config.model;
  };
  BOOST_TEST(cache({}, {{"HOME", "/h"}}).artifact_cache ==
             "/h/.cache/ganglion");
  BOOST_TEST(cache({}, {{"HOME", "/h"}}).artifact_cache_least == 64u << 20);
  BOOST_TEST(
      cache({}, {{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).artifact_cache ==
      "/x/ganglion");
  BOOST_TEST(cache({}, {}).artifact_cache == "");
  BOOST_TEST(
      cache({"--artifact-cache", "none"}, {{"HOME", "/h"}}).artifact_cache ==
      "");
  const auto named = cache({"--artifact-cache", "/c"}, {{"HOME", "/h"}});
  BOOST_TEST(named.artifact_cache == "/c");
  BOOST_TEST(named.artifact_cache_least == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

#include "runtime/config/command_line.hpp"
#include "runtime/config/load_config.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const command_spec serve{.name = "serve"};

config_inputs inputs(const std::vector<std::string> &arguments,
                     environment variables = {}) {
  return {parse_command_line(serve, arguments).engine, std::move(variables),
          std::nullopt};
}

std::string failure(const std::vector<std::string> &arguments,
                    environment variables = {}) {
  return error_text([&] { load_config(inputs(arguments, variables)); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(load_config)

BOOST_AUTO_TEST_CASE(the_strongest_source_wins) {
  const scratch_directory dir;
  const std::string model = "--model=" + dir.path();
  const auto batch = [&](std::vector<std::string> arguments,
                         const environment &variables) {
    arguments.push_back(model);
    const auto loaded = runtime::load_config(inputs(arguments, variables));
    const auto &option = loaded.values.at("max_rolling_batch_size");
    return std::to_string(loaded.config.scheduling.max_rolling_batch_size) +
           " " + std::string(to_string(option.origin)) + " " + option.key;
  };
  const std::string key = "max_rolling_batch_size";
  environment variables;
  BOOST_TEST(batch({}, variables) == "32 default " + key);
  variables["SERVING_MAX_ROLLING_BATCH_SIZE"] = "2";
  BOOST_TEST(batch({}, variables) ==
             "2 environment SERVING_MAX_ROLLING_BATCH_SIZE");
  variables["OPTION_MAX_ROLLING_BATCH_SIZE"] = "3";
  BOOST_TEST(batch({}, variables) ==
             "3 environment OPTION_MAX_ROLLING_BATCH_SIZE");
  dir.write("serving.properties", "option.max_rolling_batch_size=4\n");
  BOOST_TEST(batch({}, variables) ==
             "4 serving.properties option.max_rolling_batch_size");
  BOOST_TEST(batch({"--max-rolling-batch-size", "5"}, variables) ==
             "5 command line --max-rolling-batch-size");
}

BOOST_AUTO_TEST_CASE(own_variables_lie_between_serving_and_option) {
  environment variables{{"HF_MODEL_ID", "/m"},
                        {"SERVING_TENSOR_PARALLEL_DEGREE", "2"}};
  const auto degree = [&] {
    return runtime::load_config(inputs({}, variables))
        .config.graph.tensor_parallel_degree;
  };
  BOOST_TEST(degree() == 2);
  variables["TENSOR_PARALLEL_DEGREE"] = "4";
  BOOST_TEST(degree() == 4);
  variables["OPTION_TENSOR_PARALLEL_DEGREE"] = "max";
  BOOST_TEST(degree() == 0);
  variables["OPTION_TENSOR_PARALLEL_DEGREE"] = ""; // ignored
  BOOST_TEST(degree() == 4);
}

BOOST_AUTO_TEST_CASE(every_option_reaches_its_field) {
  const auto loaded =
      runtime::load_config(inputs({"--model=/models/tiny-llama 1",
                                   "--dtype=fp16",
                                   "--tp-degree=4",
                                   "--instance=trn1.2xlarge",
                                   "--collectives=message",
                                   "--expert-sharding=distributed",
                                   "--threads=3",
                                   "--n-positions=512",
                                   "--chunk=16",
                                   "--block-size=48",
                                   "--kv-blocks=9",
                                   "--max-rolling-batch-size=7",
                                   "--job-queue-size=11",
                                   "--max-new-tokens=5",
                                   "--max-new-tokens-limit=6",
                                   "--max-prompt-length=100",
                                   "--request-timeout=2.5",
                                   "--seed=42",
                                   "--speculative-draft-model=/draft",
                                   "--speculative-length=4",
                                   "--speculative-ngram-size=2",
                                   "--draft-model-tp-size=1",
                                   "--draft-model-compiled-path=/compiled",
                                   "--host=::1",
                                   "--port=0",
                                   "--max-request-size=1000",
                                   "--strict",
                                   "--log-level=debug"}));
  const auto &[model, graph, scheduling, server, speculation] = loaded.config;
  BOOST_TEST(model.model_id == "/models/tiny-llama 1");
  BOOST_TEST(model.model_name == "tiny_llama_1");
  BOOST_TEST((model.dtype == weight_dtype::f16));
  BOOST_TEST(graph.tensor_parallel_degree == 4);
  BOOST_TEST(graph.instance == "trn1.2xlarge");
  BOOST_TEST((graph.collectives == collectives_kind::message));
  BOOST_TEST((graph.experts == hlo::expert_sharding::distributed));
  BOOST_TEST(graph.threads == 3);
  BOOST_TEST(graph.n_positions == 512);
  BOOST_TEST(graph.chunk == 16);
  BOOST_TEST(graph.block_size == 48);
  BOOST_TEST(graph.kv_blocks == 9);
  BOOST_TEST(scheduling.max_rolling_batch_size == 7);
  BOOST_TEST(scheduling.job_queue_size == 11);
  BOOST_TEST(scheduling.max_new_tokens == 5);
  BOOST_TEST(scheduling.max_new_tokens_limit == 6);
  BOOST_TEST(scheduling.max_prompt_length == 100);
  BOOST_TEST(scheduling.request_timeout->count() == 2.5);
  BOOST_TEST(scheduling.seed.value() == 42u);
  BOOST_TEST(speculation.draft_model == "/draft");
  BOOST_TEST(speculation.has_model());
  BOOST_TEST(speculation.length == 4);
  BOOST_TEST(speculation.ngram_size == 2);
  BOOST_TEST(speculation.tp_degree == 1);
  BOOST_TEST(speculation.compiled_path == "/compiled");
  BOOST_TEST(server.host == "::1");
  BOOST_TEST(server.port == 0);
  BOOST_TEST(server.max_request_size == 1000u);
  BOOST_TEST(server.strict);
  BOOST_TEST(server.log_level == "debug");
}

BOOST_AUTO_TEST_CASE(defaults_of_the_table_are_those_of_the_structs) {
  const auto loaded = runtime::load_config(inputs({"--model", "a/b/"}));
  const auto &config = loaded.config;
  const engine_config plain;
  BOOST_TEST(config.model.model_name == "b");
  BOOST_TEST((config.model.dtype == plain.model.dtype));
  BOOST_TEST(config.graph.tensor_parallel_degree ==
             plain.graph.tensor_parallel_degree);
  BOOST_TEST(config.graph.instance == plain.graph.instance);
  BOOST_TEST((config.graph.experts == plain.graph.experts));
  BOOST_TEST(config.graph.chunk == plain.graph.chunk);
  BOOST_TEST(config.graph.block_size == plain.graph.block_size);
  BOOST_TEST(config.graph.n_positions == plain.graph.n_positions);
  BOOST_TEST(config.graph.kv_blocks == plain.graph.kv_blocks);
  BOOST_TEST(config.graph.threads == plain.graph.threads);
  BOOST_TEST(config.scheduling.max_rolling_batch_size ==
             plain.scheduling.max_rolling_batch_size);
  BOOST_TEST(config.scheduling.job_queue_size ==
             plain.scheduling.job_queue_size);
  BOOST_TEST(config.scheduling.max_new_tokens ==
             plain.scheduling.max_new_tokens);
  BOOST_TEST(!config.scheduling.request_timeout.has_value());
  BOOST_TEST(!config.scheduling.seed.has_value());
  BOOST_TEST(config.server.host == plain.server.host);
  BOOST_TEST(config.server.port == plain.server.port);
  BOOST_TEST(config.server.max_request_size == plain.server.max_request_size);
  BOOST_TEST(config.server.log_level == plain.server.log_level);
}

BOOST_AUTO_TEST_CASE(properties_that_name_no_model_mean_their_directory) {
  const scratch_directory dir;
  dir.write("serving.properties", "option.dtype = bf16\n");
  config_inputs given;
  given.properties_path = dir / "serving.properties";
  const auto loaded = runtime::load_config(given);
  BOOST_TEST(loaded.config.model.model_id == dir.path());
  BOOST_TEST((loaded.config.model.dtype == weight_dtype::bf16));

  dir.write("serving.properties", "option.model_id=/else\n");
  given.variables = {{"HF_MODEL_ID", "/env"}};
  BOOST_TEST(runtime::load_config(given).config.model.model_id == "/else");
  given.properties_path = dir / "absent";
  BOOST_CHECK_THROW(runtime::load_config(given), error);
}

BOOST_AUTO_TEST_CASE(unknown_keys_warn_or_are_refused) {
  const scratch_directory dir;
  dir.write("serving.properties", "engin=MPI\noption.tp_degre=2\n");
  const std::string model = "--model=" + dir.path();
  const environment variables{{"OPTION_DTYP", "f32"}, {"HOME", "/root"}};
  const auto loaded = runtime::load_config(inputs({model}, variables));
  BOOST_REQUIRE(loaded.warnings.size() == 3u);
  BOOST_TEST(loaded.warnings[0] == "environment: unknown key 'OPTION_DTYP'; "
                                   "did you mean 'dtype'?; ignored");
  BOOST_TEST(contains(loaded.warnings[1],
                      "properties:1: unknown key 'engin'; did you "
                      "mean 'engine'?"));
  BOOST_TEST(contains(loaded.warnings[2], "did you mean 'tp_degree'?"));
  const auto text = failure({model, "--strict"}, variables);
  for (const char *key : {"OPTION_DTYP", "engin", "option.tp_degre"})
    BOOST_TEST(contains(text, key), text);
}

BOOST_AUTO_TEST_CASE(bad_values_name_place_and_key) {
  const scratch_directory dir;
  const std::string model = "--model=" + dir.path();
  dir.write("serving.properties", "\noption.dtype=int4\n");
  BOOST_TEST(contains(failure({model}),
                      "serving.properties:2: option.dtype: 'int4' is not "
                      "acceptable; expected one of auto, f32, f16, bf16"));
  dir.write("serving.properties", "tp_degree=2\noption.tp_degree=2\n");
  BOOST_TEST(contains(failure({model}), "the same option is given as"));
  dir.write("serving.properties", "chunk=2\nchunk=3\n"); // Java: the later
  BOOST_TEST(runtime::load_config(inputs({model})).config.graph.chunk == 3);
  dir.write("serving.properties", "");
  BOOST_TEST(contains(failure({model, "--port", "65536"}),
                      "command line: --port: '65536' is not acceptable"));
  BOOST_TEST(contains(failure({model}, {{"OPTION_PORT", "x"}}),
                      "environment: OPTION_PORT: 'x'"));
  BOOST_TEST(contains(failure({model, "--block-size=40"}),
                      "--block-size: must be a multiple of 16, is 40"));
  BOOST_TEST(contains(failure({model, "--max-new-tokens-limit=8"}),
                      "30 exceeds max_new_tokens_limit, which is 8"));
  BOOST_TEST(contains(failure({}), "no model given"));
}

BOOST_AUTO_TEST_CASE(int8_weights_have_two_names) {
  using enum hlo::quantisation;
  const auto quantize = [](std::vector<std::string> arguments,
                           const environment &variables = {}) {
    arguments.push_back("--model=/m");
    return runtime::load_config(inputs(arguments, variables))
        .config.graph.quantize;
  };
  BOOST_TEST((quantize({}) == none));
  BOOST_TEST((quantize({"--quantize=static_int8"}) == static_int8));
  BOOST_TEST((quantize({"--load-in-8bit"}) == static_int8));
  BOOST_TEST((quantize({"--load-in-8bit=false"}) == none));
  BOOST_TEST(
      (quantize({}, {{"OPTION_QUANTIZE", "static_int8"}}) == static_int8));
  BOOST_TEST((quantize({}, {{"OPTION_LOAD_IN_8BIT", "true"}}) == static_int8));
  BOOST_TEST(
      (quantize({"--load-in-8bit", "--quantize=static_int8"}) == static_int8));
  BOOST_TEST((quantize({"--quantize=int8_dynamic"}) == int8_dynamic));
  for (const char *other : {"--quantize=none", "--quantize=int8_dynamic"}) {
    const auto refused = failure({"--model=/m", other, "--load-in-8bit"});
    BOOST_TEST(refused.find("load-in-8bit") != std::string::npos, refused);
  }
  BOOST_TEST(failure({"--model=/m", "--quantize=int3"}).find("static_int8") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(batch_size_is_max_rolling_batch_size_or_several) {
  const auto batch = [](std::vector<std::string> arguments,
                        const environment &variables = {}) {
    arguments.push_back("--model=/m");
    const auto config =
        runtime::load_config(inputs(arguments, variables)).config;
    std::string out = std::to_string(config.scheduling.max_rolling_batch_size);
    for (const auto size : config.graph.batch_sizes)
      out += " " + std::to_string(size);
    return out;
  };
  BOOST_TEST(batch({}) == "32");
  BOOST_TEST(batch({"--batch-size=4"}) == "4");
  BOOST_TEST(batch({"--batch-size=4,1"}) == "4 1 4");
  BOOST_TEST(batch({}, {{"OPTION_BATCH_SIZE", "2,4"}}) == "4 2 4");
  BOOST_TEST(batch({"--batch-size=1,4", "--max-rolling-batch-size=4"}) ==
             "4 1 4");
  BOOST_TEST(
      failure({"--model=/m", "--batch-size=4", "--max-rolling-batch-size=8"}) ==
      "invalid_argument: command line: --batch-size: is 4, but "
      "max_rolling_batch_size is 8; give one of them, or the same");
  BOOST_TEST(contains(failure({"--model=/m", "--batch-size=0"}), "from 1"));
}

BOOST_AUTO_TEST_CASE(int8_caches) {
  using enum hlo::cache_quantisation;
  const auto cache = [](std::vector<std::string> arguments) {
    arguments.push_back("--model=/m");
    return runtime::load_config(inputs(arguments)).config.graph.kv_cache_quant;
  };
  BOOST_TEST((cache({}) == none));
  BOOST_TEST((cache({"--kv-cache-quant=s8"}) == s8));
  BOOST_TEST((cache({"--kv-cache-quant=int8"}) == s8));
  BOOST_TEST(failure({"--model=/m", "--kv-cache-quant=f8"}).find("s8") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

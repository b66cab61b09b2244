// Configurations written for the LMI container: its templates, its tables, its
// precedence and what of it is refused.
#include "runtime/config/command_line.hpp"
#include "runtime/config/load_config.hpp"
#include "tests/runtime/config/container_model.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

BOOST_AUTO_TEST_SUITE(container_config)

BOOST_AUTO_TEST_CASE(the_properties_template_starts_unchanged) {
  const container_model model;
  const scratch_directory artifacts;
  artifacts.write("serving.properties",
                  "engine=Python\n"
                  "option.model_id=" +
                      model.path() +
                      "\n"
                      "option.entryPoint=djl_python.transformers_neuronx\n"
                      "option.rolling_batch=auto\n"
                      "# Adjust the following based on model size and "
                      "instance type\n"
                      "option.tensor_parallel_degree=4\n"
                      "option.max_rolling_batch_size=8\n"
                      "option.model_loading_timeout=1600\n");
  for (const auto &loaded : {model.start({"--model-store=" + artifacts.path()}),
                             model.start({"--model=" + artifacts.path()})}) {
    BOOST_TEST(loaded.config.model.model_id == model.path());
    BOOST_TEST(loaded.config.graph.tensor_parallel_degree == 4);
    BOOST_TEST(loaded.config.scheduling.max_rolling_batch_size == 8);
    BOOST_TEST(loaded.config.model.loading_timeout->count() == 1600);
    BOOST_REQUIRE(loaded.warnings.size() == 2u);
    BOOST_TEST(contains(loaded.warnings[0],
                        "serving.properties:1: engine=Python changes nothing: "
                        "this engine takes the place"));
    BOOST_TEST(contains(loaded.warnings[1], ":3: option.entryPoint="));
  }
}

BOOST_AUTO_TEST_CASE(the_environment_template_starts_unchanged) {
  const container_model model;
  const auto loaded =
      model.start({}, {{"HF_MODEL_ID", model.path()},
                       {"OPTION_ENTRYPOINT", "djl_python.transformers_neuronx"},
                       {"OPTION_ROLLING_BATCH", "auto"},
                       {"TENSOR_PARALLEL_DEGREE", "4"},
                       {"OPTION_MAX_ROLLING_BATCH_SIZE", "8"},
                       {"OPTION_MODEL_LOADING_TIMEOUT", "1600"}});
  BOOST_TEST(loaded.config.model.model_id == model.path());
  BOOST_TEST(loaded.config.graph.tensor_parallel_degree == 4);
  BOOST_TEST(loaded.config.scheduling.max_rolling_batch_size == 8);
  BOOST_TEST(loaded.config.model.loading_timeout->count() == 1600);
  BOOST_REQUIRE(loaded.warnings.size() == 1u);
  BOOST_TEST(contains(loaded.warnings[0],
                      "environment: OPTION_ENTRYPOINT=djl_python."));
}

BOOST_AUTO_TEST_CASE(every_key_of_the_advanced_table_is_known) {
  for (const char *key : {"n_positions",
                          "load_in_8bit",
                          "unroll",
                          "neuron_optimize_level",
                          "context_length_estimate",
                          "low_cpu_mem_usage",
                          "load_split_model",
                          "compiled_graph_path",
                          "group_query_attention",
                          "enable_mixed_precision_accumulation",
                          "enable_saturate_infinity",
                          "speculative_draft_model",
                          "speculative_length",
                          "draft_model_compiled_path",
                          "attention_layout",
                          "collectives_layout",
                          "cache_layout",
                          "on_device_embedding",
                          "on_device_generation",
                          "shard_over_sequence",
                          "fuse_qkv",
                          "qkv_tiling",
                          "weight_tiling"})
    BOOST_TEST(find_option(engine_options(), key) != nullptr, key);
}

BOOST_AUTO_TEST_CASE(every_key_of_the_container_is_known) {
  for (const char *key : {"inference_address",
                          "management_address",
                          "cluster_address",
                          "model_store",
                          "load_models",
                          "wait_model_loading",
                          "allow_multi_status",
                          "number_of_netty_threads",
                          "job_queue_size",
                          "batch_size",
                          "max_batch_delay",
                          "max_idle_time",
                          "reserved_memory_mb",
                          "max_request_size",
                          "chunked_read_timeout",
                          "bad_request_http_code",
                          "wlm_error_http_code",
                          "throttle_error_http_code",
                          "timeout_http_code",
                          "server_error_http_code",
                          "error_rate_wlm",
                          "error_rate_server",
                          "error_rate_model",
                          "error_rate_any",
                          "request_id_header_key",
                          "keystore",
                          "keystore_pass",
                          "keystore_type",
                          "model_url_pattern",
                          "load_on_devices",
                          "plugin_folder",
                          "engine",
                          "max_dynamic_batch_size",
                          "minWorkers",
                          "maxWorkers",
                          "gpu.minWorkers",
                          "cpu.maxWorkers",
                          "log_request_metric",
                          "metrics_aggregation",
                          "required_memory_mb",
                          "retry_threshold",
                          "translatorFactory",
                          "model_id",
                          "trust_remote_code",
                          "entryPoint",
                          "handler",
                          "rolling_batch",
                          "max_rolling_batch_size",
                          "tensor_parallel_degree",
                          "pipeline_parallel_degree",
                          "parallel_loading",
                          "predict_timeout",
                          "model_loading_timeout",
                          "output_formatter",
                          "input_formatter",
                          "tgi_compat",
                          "bedrock_compat",
                          "enable_streaming",
                          "dtype",
                          "amp",
                          "task",
                          "env",
                          "enable_venv",
                          "pythonExecutable",
                          "mpi_mode",
                          "max_output_size",
                          "waiting_steps",
                          "enable_lora",
                          "adapters",
                          "use_stable_diffusion",
                          "quantize",
                          "save_mp_checkpoint_path",
                          "model_loader",
                          "rolling_batch_strategy",
                          "fuse_mlp",
                          "fused_rmsnorm_qkv",
                          "partition_schema",
                          "all_reduce_dtype",
                          "cast_logits_dtype",
                          "mlp_out_weight_transpose",
                          "sequence_parallel",
                          "sequence_parallel_norm_threshold",
                          "compilation_worker_count",
                          "multi_node",
                          "neuron_cc_pipeline_factor",
                          "neuron_quant",
                          "features",
                          "fail_fast",
                          "draft_model_id",
                          "spec_length",
                          "draft_model_tp_size"})
    BOOST_TEST(find_option(engine_options(), key) != nullptr, key);
}

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_tables) {
  const container_model model("gpt2"); // no smart defaults
  const auto c = model.start({"--model=" + model.path()}).config;
  BOOST_TEST(c.graph.neuron_optimize_level == 2);
  BOOST_TEST(!c.model.low_cpu_mem_usage);
  BOOST_TEST(c.graph.context_length_estimate.empty());
  BOOST_TEST(c.model.compiled_graph_path == "");
  BOOST_TEST((c.graph.group_query_attention == hlo::group_query::automatic));
  BOOST_TEST(!c.graph.form.saturate_infinity);
  BOOST_TEST(!c.graph.shard_over_sequence);
  BOOST_TEST(!c.graph.form.fuse_qkv);
  BOOST_TEST(c.graph.form.unroll == 0);
  BOOST_TEST(c.scheduling.max_rolling_batch_size == 32);
  BOOST_TEST(c.scheduling.job_queue_size == 1000);
  BOOST_TEST(c.server.max_request_size == std::uint64_t{64} << 20);
  BOOST_TEST(c.model.loading_timeout->count() == 1200);
  BOOST_TEST(!c.scheduling.step_timeout.has_value());
}

BOOST_AUTO_TEST_CASE(smart_defaults_fill_what_nobody_gave) {
  const container_model model;
  const std::string named = "--model=" + model.path();
  const auto chosen = model.start({named});
  BOOST_TEST(chosen.config.graph.n_positions == 4096);
  BOOST_TEST(chosen.config.graph.tensor_parallel_degree == 2);
  BOOST_TEST(chosen.config.scheduling.max_rolling_batch_size == 16);
  BOOST_TEST(chosen.values.at("n_positions").where == "smart default");
  BOOST_TEST(!chosen.values.is_set("n_positions"));
  BOOST_TEST(chosen.config.graph.most_threads_per_rank == 0);

  const auto given = model.start({named, "--n-positions=512"},
                                 {{"OPTION_MAX_ROLLING_BATCH_SIZE", "3"}});
  BOOST_TEST(given.config.graph.n_positions == 512);
  BOOST_TEST(given.config.scheduling.max_rolling_batch_size == 3);
  const auto plain = runtime::load_config(
      {.command_line =
           parse_command_line(serve_spec(), std::vector<std::string>{named})
               .engine});
  BOOST_TEST(plain.config.graph.n_positions == 0);
  BOOST_TEST(plain.config.scheduling.max_rolling_batch_size == 32);
}

BOOST_AUTO_TEST_CASE(a_degree_that_is_given_limits_threads) {
  const container_model model;
  const auto most = [&](std::vector<std::string> arguments,
                        const environment &variables = {}) {
    arguments.push_back("--model=" + model.path());
    const auto graph = model.start(arguments, variables).config.graph;
    return std::to_string(graph.most_threads_per_rank) + " " +
           std::to_string(graph.threads);
  };
  BOOST_TEST(most({}) == "0 0");
  BOOST_TEST(most({}, {{"TENSOR_PARALLEL_DEGREE", "max"}}) == "2 0");
  BOOST_TEST(most({"--tp-degree=2"}, {{"NO_OMP_NUM_THREADS", "true"}}) ==
             "0 0");
  BOOST_TEST(most({"--tp-degree=2"}, {{"OMP_NUM_THREADS", "3"}}) == "2 3");
}

BOOST_AUTO_TEST_CASE(global_keys_are_weaker_in_their_file) {
  const container_model model;
  const scratch_directory files;
  files.write("config.properties",
              "job_queue_size=10\ninference_address=http://0.0.0.0:9000\n"
              "management_address=http://0.0.0.0:9000\n");
  config_inputs inputs{.variables = {{"HF_MODEL_ID", model.path()}},
                       .config_path = files / "config.properties",
                       .container_cores = 2};
  const auto queue = [&] {
    return runtime::load_config(inputs).config.scheduling.job_queue_size;
  };
  BOOST_TEST(queue() == 10);
  BOOST_TEST(runtime::load_config(inputs).config.server.port == 9000);
  BOOST_TEST(runtime::load_config(inputs).config.server.host == "0.0.0.0");
  inputs.variables["SERVING_JOB_QUEUE_SIZE"] = "20";
  BOOST_TEST(queue() == 20);
  model.write("serving.properties", "job_queue_size = 30 \n");
  BOOST_TEST(queue() == 30);
  inputs.variables["SERVING_MANAGEMENT_ADDRESS"] = "http://0.0.0.0:9001";
  BOOST_TEST(contains(error_text(queue),
                      "SERVING_MANAGEMENT_ADDRESS: 'http://0.0.0.0:9001' is "
                      "not acceptable; expected the address of inference, "
                      "http://0.0.0.0:9000"));
}

BOOST_AUTO_TEST_CASE(addresses_yield_to_what_is_stronger) {
  const container_model model;
  const auto address = [&](const std::vector<std::string> &arguments,
                           environment variables) {
    variables["HF_MODEL_ID"] = model.path();
    const auto server = model.start(arguments, variables).config.server;
    return server.host + " " + std::to_string(server.port);
  };
  const std::string name = "SERVING_INFERENCE_ADDRESS";
  BOOST_TEST(address({}, {{name, "http://[::1]:99/"}}) == "::1 99");
  BOOST_TEST(address({}, {{name, ":99"}}) == "0.0.0.0 99");
  BOOST_TEST(address({"--port=7"}, {{name, "127.0.0.2:99"}}) == "127.0.0.2 7");
  BOOST_TEST(address({}, {{"SAGEMAKER_BIND_TO_PORT", "8081"}}) ==
             "127.0.0.1 8081");
  for (const char *bad : {"https://a:1", "http://a", "http://a:x", "http://a:"})
    BOOST_TEST(contains(error_text([&] {
                          address({}, {{name, bad}});
                        }),
                        "expected http://HOST:PORT"),
               bad);
}

BOOST_AUTO_TEST_CASE(timeouts_parse_with_spaces) {
  const container_model model;
  model.write("serving.properties", "option.model_loading_timeout = 7200 \n"
                                    "option.predict_timeout = 60\n"
                                    "retry_threshold=0\n");
  const auto c = model.start({"--model=" + model.path()}).config;
  BOOST_TEST(c.model.loading_timeout->count() == 7200);
  BOOST_TEST(c.scheduling.step_timeout->count() == 60);
  BOOST_TEST(c.scheduling.retry_threshold.value() == 0);
  const auto by_variable =
      model.start({}, {{"HF_MODEL_ID", model.path()},
                       {"PREDICT_TIMEOUT", "5"},
                       {"OPTION_MODEL_LOADING_TIMEOUT", "none"}});
  // the file is the stronger
  BOOST_TEST(by_variable.config.scheduling.step_timeout->count() == 60);
  BOOST_TEST(contains(model.failure({"--model-loading-timeout=soon"}),
                      "--model-loading-timeout: 'soon' is not acceptable; "
                      "expected a number from 0 to 1000000 or none"));
}

BOOST_AUTO_TEST_CASE(rolling_batches_of_any_kind) {
  const container_model model("gpt2");
  const auto batch = [&](std::vector<std::string> arguments) {
    arguments.push_back("--model=" + model.path());
    return model.start(arguments).config.scheduling.max_rolling_batch_size;
  };
  for (const char *kind : {"auto", "tnx", "vllm", "lmi-dist"})
    BOOST_TEST(batch({std::string("--rolling-batch=") + kind}) == 32, kind);
  BOOST_TEST(batch({"--rolling-batch=disable"}) == 1);
  BOOST_TEST(batch({"--rolling-batch=disable", "--batch-size=4"}) == 4);
  BOOST_TEST(batch({"--max-dynamic-batch-size=4"}) == 4);
  BOOST_TEST(batch({"--rolling-batch=auto", "--batch-size=1"}) == 1);
  for (const char *kind : {"scheduler", "trtllm"})
    BOOST_TEST(contains(model.failure({std::string("--rolling-batch=") + kind}),
                        std::string("'") + kind +
                            "' is refused: a back end of the container for "
                            "GPUs; accepted: one of auto, tnx, vllm"));
  BOOST_TEST(contains(model.failure({"--rolling-batch=auto", "--batch-size=4"}),
                      "--batch-size: is 4, but rolling_batch is auto"));
  BOOST_TEST(contains(
      model.failure({"--rolling-batch=disable", "--max-rolling-batch-size=4"}),
      "rolling_batch is disabled"));
  BOOST_TEST(
      contains(model.failure({"--rolling-batch-strategy=naive_rolling_batch"}),
               "'naive_rolling_batch' is refused"));
}

BOOST_AUTO_TEST_CASE(what_is_not_here_is_refused_by_name) {
  const container_model model;
  struct bad {
    const char *line, *message;
  };
  for (const auto &[line, message] : {
           bad{"option.entryPoint=model.py", "djl_python.transformers_neuronx"},
           bad{"option.entryPoint=https://a/b.py", "option.entryPoint"},
           bad{"engine=DeepSpeed", "expected one of Python, MPI"},
           bad{"option.quantize=smoothquant", "one of none, static_int8"},
           bad{"option.quantize=fp8", "one of none, static_int8"},
           bad{"option.dtype=int8", "one of auto, f32, f16, bf16"},
           bad{"option.smoothquant_alpha=0.5", "TensorRT-LLM"},
           bad{"option.gpu_memory_utilization=0.9", "vLLM"},
           bad{"option.use_stable_diffusion=true", "images"},
           bad{"option.enable_lora=True", "not built"},
           bad{"option.group_query_attention=invalid", "shard-over-heads"},
           bad{"option.context_length_estimate=invalid", "whole numbers"},
           bad{"option.model_loader=nxdi", "another library"},
           bad{"option.model_loader=optimum", "neuron block"},
           bad{"option.compiled_graph_path=https://a/b", "directory"},
           bad{"minWorkers=2", "from 0 to 1"},
           bad{"option.pipeline_parallel_degree=2", "from 1 to 1"},
           bad{"error_rate_any=5/PT1M", "not built"},
           bad{"timeout_http_code=503", "one of 400"},
           bad{"option.visible_cores=0-9", "cores from 0 to 1"},
           bad{"option.visible_cores=1,1", "each once"},
       }) {
    model.write("serving.properties", std::string(line) + "\n");
    const auto text = model.failure({});
    BOOST_TEST(contains(text, "serving.properties:1: "), text);
    BOOST_TEST(contains(text, message), text);
  }
  model.write("serving.properties", "option.model_loader=tnx\n"
                                    "option.partition_schema=optimum\n");
  BOOST_TEST(contains(model.failure({}), "does not go with partition_schema"));
}

BOOST_AUTO_TEST_CASE(switches_that_are_off_pass) {
  const container_model model;
  model.write("serving.properties",
              "option.enable_lora=False\nfail_fast=false\n"
              "bad_request_http_code=400\noption.multi_node=0\n");
  BOOST_TEST(model.start({"--model=" + model.path()}).warnings.empty());
}

BOOST_AUTO_TEST_CASE(keys_without_effect_say_so) {
  const container_model model;
  const auto notes = model
                         .start({"--model=" + model.path()},
                                {{"OPTION_FUSE_MLP", "true"},
                                 {"SERVING_NUMBER_OF_NETTY_THREADS", "4"},
                                 {"JAVA_OPTS", "-Xmx4g"},
                                 {"OPTION_ROLLING_BATCH", "lmi-dist"},
                                 {"NEURON_CC_FLAGS", "-O2"},
                                 {"MAX_BATCH_SIZE", "4"},
                                 {"ARGS_X", "1"}})
                         .warnings;
  for (const char *part :
       {"OPTION_FUSE_MLP=true changes nothing: gate and up are one kernel",
        "SERVING_NUMBER_OF_NETTY_THREADS=4 changes nothing",
        "JAVA_OPTS=-Xmx4g changes nothing: no Java runs here",
        "OPTION_ROLLING_BATCH=lmi-dist changes nothing",
        "NEURON_CC_FLAGS=-O2 changes nothing: the compiler for NeuronCores",
        "MAX_BATCH_SIZE=4 changes nothing: OPTION_MAX_ROLLING_BATCH_SIZE",
        "unknown key 'ARGS_X'"})
    BOOST_TEST(std::ranges::count_if(notes,
                                     [&](const std::string &note) {
                                       return contains(note, part);
                                     }) == 1,
               part);
  BOOST_TEST(notes.size() == 7u);
}

BOOST_AUTO_TEST_CASE(models_that_bring_code_are_refused) {
  for (const char *name : {"model.py", "requirements.txt"}) {
    const container_model model;
    model.write(name, "");
    BOOST_TEST(contains(model.failure({}), "a model's own code is never run"));
    BOOST_TEST(contains(model.failure({}), name));
  }
}

BOOST_AUTO_TEST_CASE(models_may_be_named_as_the_front_end_does) {
  const container_model model;
  const auto started = [&](const environment &variables) {
    const auto c = model.start({}, variables).config;
    return c.model.model_name + " " + c.model.model_id;
  };
  const auto path = model.path();
  BOOST_TEST(started({{"SERVING_LOAD_MODELS", "test::Python=file:" + path}}) ==
             "test " + path);
  const auto loaded =
      model.start({}, {{"SERVING_LOAD_MODELS", "a:1:MPI:1=file://" + path}});
  BOOST_TEST(loaded.config.graph.visible_cores ==
                 (std::vector<std::int64_t>{1}),
             boost::test_tools::per_element());
  BOOST_TEST(loaded.values.string("engine") == "MPI");
  BOOST_TEST(contains(model.failure_of({{"SERVING_LOAD_MODELS", "a=x,b=y"}}),
                      "names several models (x, y)"));
  BOOST_TEST(contains(model.failure_of({{"SERVING_LOAD_MODELS", "NONE"}}),
                      "leaves no model to serve"));
  BOOST_TEST(contains(model.failure_of({{"SERVING_LOAD_MODELS", "a::="}}),
                      "names no model; expected NAME:VERSION"));

  const scratch_directory store;
  const auto in_store = environment{{"SERVING_MODEL_STORE", store.path()},
                                    {"SERVING_LOAD_MODELS", "ALL"}};
  BOOST_TEST(contains(model.failure_of(in_store), "no model there"));
  std::filesystem::copy(path, store / "one");
  BOOST_TEST(started(in_store) == "one " + (store / "one"));
  std::filesystem::copy(path, store / "two");
  BOOST_TEST(contains(model.failure_of(in_store), "names several models"));
}

BOOST_AUTO_TEST_CASE(models_may_have_to_be_found_first) {
  const container_model model, other;
  std::vector<std::string> asked;
  const auto start = [&](const environment &variables) {
    return runtime::load_config(
        {.variables = variables,
         .locate =
             [&](const std::string &name, const option_values &) {
               asked.push_back(name);
               return name == "org/tiny" ? located_model{model.path(), name}
                                         : located_model{other.path()};
             },
         .container_cores = 2});
  };
  const auto loaded = start({{"HF_MODEL_ID", "org/tiny"},
                             {"OPTION_SPECULATIVE_DRAFT_MODEL", "org/draft"},
                             {"OPTION_COMPILED_GRAPH_PATH", "s3://b/neff"}});
  BOOST_TEST(loaded.config.model.model_id == model.path());
  BOOST_TEST(loaded.config.model.model_name == "org_tiny");
  BOOST_TEST(loaded.values.string("model_id") == "org/tiny");
  BOOST_TEST(loaded.config.graph.tensor_parallel_degree == 2); // its config
  BOOST_TEST(loaded.config.speculation.draft_model == other.path());
  BOOST_TEST(loaded.config.model.compiled_graph_path == other.path());
  BOOST_TEST(asked == (std::vector<std::string>{"org/tiny", "org/draft",
                                                "s3://b/neff"}),
             boost::test_tools::per_element());

  // A file in what was found is read, and may name another model.
  asked.clear();
  std::filesystem::remove(other / "config.json");
  other.write("serving.properties", "option.model_id=org/tiny\n");
  const auto named = start({{"HF_MODEL_ID", "a.zip"}});
  BOOST_TEST(named.config.model.model_id == model.path());
  BOOST_TEST(asked == (std::vector<std::string>{"a.zip", "org/tiny"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sagemaker_puts_the_model_where_it_always_does) {
  const container_model model;
  const auto start = [&](const std::string &directory,
                         const environment &variables) {
    return runtime::load_config({.variables = variables,
                                 .container_cores = 2,
                                 .hosting_directory = directory});
  };
  const auto loaded = start(model.path(), {});
  BOOST_TEST(loaded.config.model.model_id == model.path());
  BOOST_TEST(loaded.config.server.host == "0.0.0.0");
  BOOST_TEST(loaded.config.server.port == 8080);
  BOOST_TEST(loaded.config.server.wait_model_loading);
  const auto port =
      start(model.path(), {{"SAGEMAKER_BIND_TO_PORT", "8081"},
                           {"SERVING_WAIT_MODEL_LOADING", "false"}});
  BOOST_TEST(port.config.server.port == 8081);
  BOOST_TEST(!port.config.server.wait_model_loading);

  // The file that lies there may name another model.
  const scratch_directory artifacts;
  artifacts.write("serving.properties", "option.model_id=" + model.path());
  BOOST_TEST(start(artifacts.path(), {}).config.model.model_id == model.path());
  const auto named = start(artifacts.path(), {{"HF_MODEL_ID", model.path()}});
  BOOST_TEST(named.config.server.host == "127.0.0.1");
  BOOST_TEST(
      contains(error_text([&] { start("/no/such", {}); }), "no model given"));
  for (const char *name : {"SAGEMAKER_MULTI_MODEL", "SAGEMAKER_SECURE_MODE"})
    BOOST_TEST(contains(error_text([&] {
                          start(model.path(), {{name, "true"}});
                        }),
                        name));
}

BOOST_AUTO_TEST_SUITE_END()

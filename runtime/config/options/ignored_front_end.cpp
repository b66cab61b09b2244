// Keys of the LMI container's front end, and of other images, that change
// nothing here.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

namespace {

using enum option_kind;
constexpr auto scope = option_scope::ignored;

/// What the front end in Java has and this server does otherwise.
option_table front_end_rows() {
  constexpr std::string_view no_java = "no Java runs here";
  constexpr std::string_view one_thread = "one thread serves all connections";
  constexpr std::string_view truth =
      "/ping always tells what the engine's state is";
  return {
      {.name = "number_of_netty_threads",
       .kind = integer,
       .scope = scope,
       .help = "threads of the front end",
       .least = 0,
       .ignored = because(one_thread)},
      {.name = "max_batch_delay",
       .kind = integer,
       .scope = scope,
       .help = "milliseconds that a batch waits to fill",
       .least = 0,
       .ignored = because("requests join a running batch at once")},
      {.name = "max_idle_time",
       .kind = integer,
       .scope = scope,
       .help = "seconds before a worker that has nothing to do ends",
       .least = 0,
       .ignored = because("the model stays loaded")},
      {.name = "reserved_memory_mb",
       .kind = integer,
       .scope = scope,
       .help = "memory to leave free",
       .aliases = {"gpu.reserved_memory_mb"},
       .least = 0,
       .ignored = because("a core's budget is checked before weights are "
                          "read")},
      {.name = "required_memory_mb",
       .kind = integer,
       .scope = scope,
       .help = "memory that the model needs",
       .aliases = {"gpu.required_memory_mb"},
       .least = 0,
       .ignored = because("what it needs is computed")},
      {.name = "chunked_read_timeout",
       .kind = integer,
       .scope = scope,
       .help = "seconds between two pieces of an answer",
       .least = 1,
       .ignored = because("an answer is not cut off; request_timeout bounds "
                          "it")},
      {.name = "min_workers",
       .kind = integer,
       .scope = scope,
       .help = "copies of the model at least",
       .aliases = {"minWorkers", "cpu.minWorkers", "gpu.minWorkers"},
       .least = 0,
       .most = 1,
       .ignored = because("one copy serves all sequences")},
      {.name = "max_workers",
       .kind = integer,
       .scope = scope,
       .help = "copies of the model at most",
       .aliases = {"maxWorkers", "cpu.maxWorkers", "gpu.maxWorkers"},
       .least = 1,
       .most = 1,
       .ignored = because("one copy serves all sequences")},
      {.name = "log_request_metric",
       .kind = boolean,
       .scope = scope,
       .help = "log figures of requests",
       .ignored = because("the status of the engine counts always")},
      {.name = "metrics_aggregation",
       .kind = integer,
       .scope = scope,
       .help = "samples to a logged figure",
       .least = 1,
       .ignored = because("figures are not logged in groups")},
      {.name = "health_check_override",
       .kind = boolean,
       .scope = scope,
       .help = "/ping tells that workers are missing",
       .variable = "SAGEMAKER_HEALTH_CHECK_OVERRIDE",
       .ignored = because(truth)},
      {.name = "features",
       .scope = scope,
       .help = "back ends of the image",
       .ignored = because("there is one engine")},
      {.name = "cluster_address",
       .scope = scope,
       .help = "address for other nodes",
       .ignored = because("there is one node")},
      {.name = "model_server_home",
       .scope = scope,
       .help = "directory of the front end",
       .variable = "MODEL_SERVER_HOME",
       .ignored = because(no_java)},
      {.name = "java_opts",
       .scope = scope,
       .help = "options of the Java machine",
       .variable = "JAVA_OPTS",
       .ignored = because(no_java)},
      {.name = "opts",
       .scope = scope,
       .help = "options of the Java front end",
       .ignored = because(no_java)},
      {.name = "allow_request_handler_override",
       .scope = scope,
       .help = "let models bring handlers",
       .variable = "ALLOW_REQUEST_HANDLER_OVERRIDE",
       .ignored = because("a model's code is never run")},
  };
}

/// Variables that the image for GPUs translates, and the one for Inferentia
/// does not.
option_table translated_rows() {
  const auto row = [](std::string_view name, std::string_view variable,
                      std::string_view instead) {
    return option_spec{.name = name,
                       .scope = scope,
                       .help = "a variable of the image for GPUs",
                       .variable = variable,
                       .ignored = because(instead)};
  };
  return {
      row("hf_model_quantize", "HF_MODEL_QUANTIZE", "OPTION_QUANTIZE is read"),
      row("hf_model_trust_remote_code", "HF_MODEL_TRUST_REMOTE_CODE",
          "a model's code is never run"),
      row("sm_num_gpus", "SM_NUM_GPUS", "TENSOR_PARALLEL_DEGREE is read"),
      row("max_concurrent_requests", "MAX_CONCURRENT_REQUESTS",
          "SERVING_JOB_QUEUE_SIZE is read"),
      row("max_batch_prefill_tokens", "MAX_BATCH_PREFILL_TOKENS",
          "OPTION_CHUNK is read"),
      row("max_batch_size", "MAX_BATCH_SIZE",
          "OPTION_MAX_ROLLING_BATCH_SIZE is read"),
      row("enable_cuda_graphs", "ENABLE_CUDA_GRAPHS", "there is no GPU"),
      row("cuda_memory_fraction", "CUDA_MEMORY_FRACTION", "there is no GPU"),
  };
}

} // namespace

option_table ignored_front_end() {
  return joined({front_end_rows(), translated_rows()});
}

} // namespace ganglion::runtime::options

// Options that only the LMI container has a name for and that do something
// here.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

namespace {

using enum option_kind;

option_table model_rows() {
  constexpr auto scope = option_scope::model;
  return {
      {.name = "load_models",
       .scope = scope,
       .help = "what to serve, as NAME:VERSION:ENGINE:CORES=URL, of which all "
               "but the URL may be left out; ALL: what model_store holds"},
      {.name = "model_store",
       .scope = scope,
       .help = "directory that is, or holds, the model of a start that names "
               "none"},
      {.name = "model_loader",
       .kind = choice,
       .scope = scope,
       .fallback = "auto",
       .help = "optimum: the model must say in its config.json what it was "
               "compiled for",
       .choices = {"auto", "tnx", "optimum", "vllm"},
       .ignored = {{"vllm", "this engine's own loader reads the model"}},
       .refused = {{"nxdi",
                    "neuronx-distributed-inference is another library"}}},
      {.name = "model_loading_timeout",
       .kind = real,
       .scope = scope,
       .fallback = "1200",
       .help = "seconds that loading may take before the start fails; none: "
               "any time",
       .variable = "MODEL_LOADING_TIMEOUT",
       .least = 0,
       .most = 1e6,
       .synonyms = {{"none", "0"}}},
      {.name = "save_mp_checkpoint_path",
       .scope = scope,
       .help = "directory that ganglion partition writes to"},
      {.name = "partition_schema",
       .kind = choice,
       .scope = scope,
       .fallback = "safetensors",
       .help = "what ganglion partition writes: weights cut for the ranks and "
               "programs, programs alone, or Optimum's layout",
       .choices = {"safetensors", "compile_only", "optimum"}},
  };
}

option_table graph_rows() {
  return {
      {.name = "visible_cores",
       .scope = option_scope::graph,
       .fallback = "all",
       .help = "NeuronCores that the model may take, as 0-3,6; on the host a "
               "core is a CPU that the process may use",
       .aliases = {"load_on_devices"},
       .variable = "NEURON_RT_VISIBLE_CORES"},
      {.name = "use_all_cpus",
       .kind = boolean,
       .scope = option_scope::graph,
       .fallback = "false",
       .help = "serve takes all CPUs too where tensor_parallel_degree is "
               "given, instead of two for each rank",
       .variable = "NO_OMP_NUM_THREADS"},
  };
}

option_table scheduling_rows() {
  constexpr auto scope = option_scope::scheduling;
  return {
      {.name = "rolling_batch",
       .kind = choice,
       .scope = scope,
       .fallback = "auto",
       .help = "disable: batch_size sequences at the same time, one unless it "
               "is given",
       .choices = {"auto", "tnx", "vllm", "lmi-dist", "disable"},
       .ignored = {{"vllm", "this engine's own scheduler forms the batches"},
                   {"lmi-dist",
                    "this engine's own scheduler forms the batches"}},
       .refused = {{"scheduler", "a back end of the container for GPUs"},
                   {"trtllm", "a back end of the container for GPUs"}}},
      {.name = "rolling_batch_strategy",
       .kind = choice,
       .scope = scope,
       .fallback = "continuous_batching",
       .help = "how requests join a running batch",
       .choices = {"continuous_batching"},
       .refused = {{"naive_rolling_batch",
                    "no family here needs the caches of a whole batch computed "
                    "again"}}},
      {.name = "predict_timeout",
       .kind = real,
       .scope = scope,
       .fallback = "30",
       .help = "seconds without a step's result before its ranks are given up "
               "and built again",
       .variable = "PREDICT_TIMEOUT",
       .least = 0.001,
       .most = 1e6},
      {.name = "retry_threshold",
       .kind = integer,
       .scope = scope,
       .fallback = "3",
       .help = "times in a row that lost ranks are built again before the "
               "engine fails",
       .least = 0,
       .most = 1000},
  };
}

option_table server_rows() {
  constexpr auto scope = option_scope::server;
  return {
      {.name = "inference_address",
       .scope = scope,
       .help = "http://HOST:PORT to listen on in place of host and port"},
      {.name = "management_address",
       .scope = scope,
       .help = "the same as inference_address, which it must agree with"},
      {.name = "wait_model_loading",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "answer nothing before the model is loaded; otherwise /ping "
               "says PENDING meanwhile"},
      {.name = "allow_multi_status",
       .kind = boolean,
       .scope = scope,
       .fallback = "false",
       .help = "/ping answers 207 instead of 200 while the model loads"},
  };
}

} // namespace

option_table container() {
  return joined({model_rows(), graph_rows(), scheduling_rows(), server_rows()});
}

} // namespace ganglion::runtime::options

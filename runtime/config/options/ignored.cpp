// Keys of the LMI container that a start accepts although they change nothing
// here: each says why when it is set.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

namespace {

using enum option_kind;
constexpr auto scope = option_scope::ignored;

/// What tells the container's parts apart, with the one value that is true.
option_table handler_rows() {
  constexpr std::string_view no_python = "no Python runs here";
  constexpr std::string_view module = "djl_python.transformers_neuronx";
  constexpr std::string_view own =
      "this engine takes the place of that handler";
  return {
      {.name = "engine",
       .kind = choice,
       .scope = scope,
       .help = "engine of the container",
       .choices = {"Python", "MPI"},
       .ignored = because(own)},
      {.name = "entry_point",
       .kind = choice,
       .scope = scope,
       .help = "handler of the container",
       .aliases = {"entryPoint", "entrypoint"},
       .variable = "DJL_ENTRY_POINT",
       .choices = {module},
       .ignored = because(own)},
      {.name = "handler",
       .kind = choice,
       .scope = scope,
       .help = "function of the handler",
       .choices = {"handle"},
       .ignored = because(own)},
      {.name = "task",
       .kind = choice,
       .scope = scope,
       .help = "what the model is for",
       .variable = "HF_TASK",
       .choices = {"text-generation"},
       .ignored = because("it is all that models here do")},
      {.name = "trust_remote_code",
       .kind = boolean,
       .scope = scope,
       .help = "run Python files of the model",
       .ignored = because("a model's code is never run")},
      {.name = "env",
       .scope = scope,
       .help = "environment of the Python worker",
       .ignored = because(no_python)},
      {.name = "enable_venv",
       .kind = boolean,
       .scope = scope,
       .help = "a virtual environment for the model",
       .ignored = because(no_python)},
      {.name = "python_executable",
       .scope = scope,
       .help = "the Python to run",
       .aliases = {"pythonExecutable"},
       .ignored = because(no_python)},
      {.name = "mpi_mode",
       .kind = boolean,
       .scope = scope,
       .help = "start ranks as MPI processes",
       .ignored = because("ranks are threads of one process")},
      {.name = "max_output_size",
       .kind = integer,
       .scope = scope,
       .help = "largest message of the Python worker in bytes",
       .least = 1,
       .ignored = because(no_python)},
      {.name = "waiting_steps",
       .kind = integer,
       .scope = scope,
       .help = "steps between admissions",
       .least = 0,
       .ignored = because("requests join at every step")},
      {.name = "parallel_loading",
       .kind = boolean,
       .scope = scope,
       .help = "load copies of the model at the same time",
       .ignored = because("ranks always load at the same time")},
      {.name = "pipeline_parallel_degree",
       .kind = integer,
       .scope = scope,
       .help = "stages of layers",
       .variable = "PIPELINE_PARALLEL_DEGREE",
       .least = 1,
       .most = 1,
       .ignored = because("one stage is all there is")},
      {.name = "enable_streaming",
       .kind = choice,
       .scope = scope,
       .help = "stream the answers of a disabled rolling batch",
       .choices = {"false", "true", "huggingface"},
       .ignored = because("a request says itself whether it streams")},
      {.name = "output_formatter",
       .kind = choice,
       .scope = scope,
       .help = "form of answers",
       .choices = {"json", "jsonlines"},
       .ignored = because("a request's stream decides between the two"),
       .refused = {{"sse", "TGI's and OpenAI's routes stream events"},
                   {"json_chat", "/v1/chat/completions answers chats"},
                   {"jsonlines_chat", "/v1/chat/completions answers chats"},
                   {"3p", "that form is not built"},
                   {"3p_stream", "that form is not built"},
                   {"none", "an answer needs a form"}}},
  };
}

/// What only NeuronCores, or the compiler for them, would notice.
option_table hardware_rows() {
  constexpr std::string_view cores = "only NeuronCores would notice";
  constexpr std::string_view compiler =
      "the compiler for NeuronCores does not run here";
  return {
      {.name = "fuse_mlp",
       .kind = boolean,
       .scope = scope,
       .help = "one kernel for the MLP",
       .ignored = because("gate and up are one kernel on the host device "
                          "anyway")},
      {.name = "fused_rmsnorm_qkv",
       .kind = boolean,
       .scope = scope,
       .help = "one kernel for norm, queries, keys and values",
       .ignored = because(cores)},
      {.name = "mlp_out_weight_transpose",
       .kind = boolean,
       .scope = scope,
       .help = "the layout of the MLP's last weight",
       .ignored = because("weights are packed for the host device's kernels")},
      {.name = "compilation_worker_count",
       .kind = integer,
       .scope = scope,
       .help = "compilers that run at the same time",
       .variable = "NEURON_COMPILATION_WORKER_COUNT",
       .least = 1,
       .ignored = because(compiler)},
      {.name = "neuron_cc_pipeline_factor",
       .kind = integer,
       .scope = scope,
       .help = "pipelining of compute and collectives",
       .variable = "NEURON_CC_PIPELINE_FACTOR",
       .least = 0,
       .ignored = because(compiler)},
      {.name = "neuron_cc_flags",
       .scope = scope,
       .help = "flags of the compiler",
       .variable = "NEURON_CC_FLAGS",
       .ignored = because(compiler)},
  };
}

} // namespace

option_table ignored() {
  return joined({handler_rows(), hardware_rows(), ignored_front_end()});
}

} // namespace ganglion::runtime::options

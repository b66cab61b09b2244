// Keys that stop a start: what they ask for is not to be had here, and a start
// without it would not do what was wanted.
#include "runtime/config/options/parts.hpp"

namespace ganglion::runtime::options {

namespace {

using enum option_kind;
constexpr auto scope = option_scope::refused;

/// A key that no value of is accepted.
option_spec never(std::string_view name, std::string_view help,
                  std::string_view why,
                  std::vector<std::string_view> aliases = {}) {
  return {.name = name,
          .scope = scope,
          .help = help,
          .aliases = std::move(aliases),
          .refused = {{"*", why}}};
}

/// A switch that may be set to false.
option_spec only_off(std::string_view name, std::string_view help,
                     std::string_view why, std::string_view variable = {}) {
  return {.name = name,
          .kind = boolean,
          .scope = scope,
          .help = help,
          .variable = variable,
          .refused = {{"true", why}, {"1", why}}};
}

/// A number that may only be what it is by default.
option_spec only(std::string_view name, std::string_view value,
                 std::string_view help) {
  return {.name = name,
          .kind = choice,
          .scope = scope,
          .help = help,
          .choices = {value}};
}

option_table container_rows() {
  constexpr std::string_view unbuilt = "it is not built";
  return {
      never("translator_factory", "Java class that reads requests",
            "no Java runs here", {"translatorFactory"}),
      never("plugin_folder", "plugins of the Java front end",
            "no Java runs here"),
      never("input_formatter", "Python function that reads requests",
            "no Python runs here"),
      never("adapters", "LoRA adapters", unbuilt),
      only_off("enable_lora", "LoRA adapters", unbuilt),
      only_off("use_stable_diffusion", "image generation",
               "models of images are not served"),
      only_off("tgi_compat", "answers in TGI's form",
               "/generate and /generate_stream give them"),
      only_off("bedrock_compat", "requests and answers in Bedrock's form",
               unbuilt),
      only_off("fail_fast", "end the process when a worker dies",
               "ranks that are lost are built again"),
      only_off("multi_node", "one model on several machines",
               "ranks are threads of one process"),
      only_off("multi_model", "SageMaker's endpoints of several models",
               "one model is served by a process", "SAGEMAKER_MULTI_MODEL"),
      only_off("secure_mode", "SageMaker's secure mode", unbuilt,
               "SAGEMAKER_SECURE_MODE"),
      only_off("neuron_quant", "quantised weights",
               "quantize=static_int8 asks for them", "NEURON_QUANT"),
      {.name = "on_device_generation",
       .scope = scope,
       .help = "file of sampling parameters that all requests have",
       .variable = "NEURON_ON_DEV_GENERATION",
       .refused = {{"*", "requests bring their own sampling parameters, and "
                         "the ranks sample"}}},
      never("error_rate_wlm", "failures after which /ping fails", unbuilt),
      never("error_rate_server", "failures after which /ping fails", unbuilt),
      never("error_rate_model", "failures after which /ping fails", unbuilt),
      never("error_rate_any", "failures after which /ping fails", unbuilt),
      never("keystore", "PKCS12 file of the server's certificate", unbuilt),
      never("keystore_pass", "password of the keystore", unbuilt),
      never("keystore_type", "form of the keystore", unbuilt),
      never("model_url_pattern", "places that models may come from", unbuilt),
      only("bad_request_http_code", "400", "status of requests that are bad"),
      only("wlm_error_http_code", "503", "status where no worker is left"),
      only("throttle_error_http_code", "503", "status of a full queue"),
      only("timeout_http_code", "400", "status of a time that ran out"),
      only("server_error_http_code", "500", "status of other failures"),
      only("request_id_header_key", "x-request-id",
           "header that carries the id of a request"),
  };
}

/// What other back ends of the container are told, by back end.
option_table other_back_end_rows() {
  constexpr std::string_view trt = "it is an option of TensorRT-LLM";
  constexpr std::string_view vllm = "it is an option of vLLM and lmi-dist";
  constexpr std::string_view deepspeed = "it is an option of DeepSpeed";
  option_table out;
  const auto add = [&](std::string_view why,
                       std::initializer_list<std::string_view> names) {
    for (const auto name : names)
      out.push_back(never(name, "an option of another back end", why));
  };
  add(trt, {"smoothquant_alpha",
            "smoothquant_per_token",
            "smoothquant_per_channel",
            "multi_query_mode",
            "use_fp8_context_fmha",
            "use_custom_all_reduce",
            "calib_size",
            "calib_batch_size",
            "calib_dataset",
            "max_input_len",
            "max_output_len",
            "max_num_tokens",
            "max_beam_width",
            "kv_cache_free_gpu_mem_fraction",
            "enable_kv_cache_reuse",
            "batch_scheduler_policy",
            "baichuan_model_version",
            "chatglm_model_version",
            "gpt_model_version",
            "use_fused_mlp",
            "quantize_kv_cache"});
  add(vllm,
      {"gpu_memory_utilization", "max_model_len", "enforce_eager",
       "tokenizer_mode", "kv_cache_dtype", "enable_chunked_prefill",
       "max_rolling_batch_prefill_tokens", "use_v2_block_manager",
       "cuda_graph_max_capture_size", "max_loras", "max_lora_rank",
       "max_cpu_loras", "lora_extra_vocab_size", "long_lora_scaling_factors",
       "fully_sharded_loras", "swap_space", "guided_decoding_backend"});
  add(deepspeed, {"checkpoint", "deepspeed_config_path", "triangular_masking",
                  "return_tuple", "enable_cuda_graph", "training_mp_size",
                  "smoothquant_weight_quant_type"});
  return out;
}

} // namespace

option_table refused() {
  return joined({container_rows(), other_back_end_rows()});
}

} // namespace ganglion::runtime::options

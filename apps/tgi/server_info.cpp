#include "apps/tgi/server_info.hpp"

#include "apps/tgi/parameter_table.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::apps {

namespace {

constexpr std::string_view dtype_word(hlo::element_type type) {
  if (type == hlo::element_type::f16)
    return "float16";
  return type == hlo::element_type::bf16 ? "bfloat16" : "float32";
}

} // namespace

std::string server_info(const model_access &access) {
  const auto model = access.model();
  const auto &limits = access.config->scheduling;
  const auto positions = model->plan.n_positions;
  json::writer out;
  out.begin_object();
  out.key("model_id").string(access.name());
  out.key("model_sha").null();
  out.key("model_dtype").string(dtype_word(model->plan.type));
  out.key("model_device_type").string(access.config->graph.instance);
  out.key("model_pipeline_tag").string("text-generation");
  out.key("max_concurrent_requests")
      .integer(limits.job_queue_size + limits.max_rolling_batch_size);
  out.key("max_best_of").integer(most_best_of);
  out.key("max_stop_sequences")
      .integer(static_cast<std::int64_t>(runtime::most_stop_strings));
  out.key("max_input_tokens").integer(positions - 1);
  out.key("max_total_tokens").integer(positions);
  out.key("max_client_batch_size").integer(1);
  out.key("router").string("ganglion");
  out.key("version").string(GANGLION_VERSION);
  out.key("sha").null();
  out.key("docker_label").null();
  out.end_object();
  return out.text();
}

} // namespace ganglion::apps

// ganglion logits: the logits of every position of some prompts, for
// evaluations and comparisons.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/event_queue.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/cli/required_option.hpp"
#include "apps/cli/token_ids.hpp"
#include "apps/error_table.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/shard/loaded_model.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

using prompt_list = std::vector<std::vector<std::int32_t>>;

prompt_list read_prompts(const std::string &path) {
  const auto document = json::document::load(path);
  prompt_list out;
  for (const auto &item : document.root().items()) {
    out.push_back(token_ids(item));
    if (out.back().empty())
      throw error(error_code::invalid_argument,
                  "the prompt has no tokens; accepted: 1 or more", item.where(),
                  item.path());
  }
  return out;
}

/// Room for one sequence.
engine_config logits_config(engine_config config) {
  const auto spec = runtime::described_model(config.model);
  auto &graph = config.graph;
  const auto positions =
      graph.n_positions > 0 ? graph.n_positions : spec.n_positions;
  config.scheduling.max_rolling_batch_size = 1;
  if (graph.kv_blocks == 0)
    graph.kv_blocks = (positions + graph.block_size - 1) / graph.block_size;
  return config;
}

std::vector<runtime::tensor_spec> tensors_of(const prompt_list &prompts,
                                             std::int64_t vocabulary) {
  std::vector<runtime::tensor_spec> out;
  for (const auto &ids : prompts)
    out.push_back({"prompt" + std::to_string(out.size()),
                   runtime::tensor_dtype::f32,
                   {static_cast<std::int64_t>(ids.size()), vocabulary}});
  return out;
}

std::shared_ptr<const std::vector<float>>
run(engine &model, const std::vector<std::int32_t> &ids,
    const std::atomic<bool> &interrupted) {
  const auto events = std::make_shared<event_queue>(interrupted);
  generation_request request;
  request.prompt_ids = ids;
  request.prompt_logits = true;
  model.submit(std::move(request), events);
  for (;;) {
    const auto [event, arrived] = events->pop();
    throw_if_failed(event);
    if (event.finish == finish_reason::cancelled)
      throw error(error_code::cancelled, "interrupted");
    if (event.last())
      return event.logits;
  }
}

int logits(const runtime::parsed_command &arguments, command_context &context) {
  const auto config =
      logits_config(load_command_config(arguments, context).config);
  const auto prompts = read_prompts(required_option(arguments, "prompts"));
  const auto out = required_option(arguments, "out");
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  engine model(config, observer_of(view));
  wait_until_ready(model);
  const interrupt_guard interrupt;
  runtime::safetensors_writer file(
      out, tensors_of(prompts, model.status().vocabulary));
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const auto rows = run(model, prompts[i], interrupt.flag());
    require(rows != nullptr, "a request for logits ended without them");
    file.write(i, 0, std::as_bytes(std::span(*rows)));
    view.report({"prompts", static_cast<double>(i + 1) /
                                static_cast<double>(prompts.size())});
  }
  file.commit();
  return exit_ok;
}

} // namespace

command logits_command() {
  return {
      {.name = "logits",
       .summary = "Writes the logits of every position of given prompts",
       .positional = {},
       .max_positionals = 0,
       .takes_engine_options = true,
       .options = {{.name = "prompts",
                    .help = "JSON file: a list of lists of token ids"},
                   {.name = "out",
                    .help = "safetensors file to write: prompt0, prompt1, ... "
                            "[positions, vocabulary] F32"}}},
      logits};
}

} // namespace ganglion::apps

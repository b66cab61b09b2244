// ganglion generate: one prompt, its continuation as it comes.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/event_queue.hpp"
#include "apps/cli/generate_input.hpp"
#include "apps/cli/generate_output.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/error_table.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

/// The object names the prompt's ids, so they are made here.
void tokenise(generation_request &request, const engine_config &config) {
  if (request.prompt_ids.empty())
    request.prompt_ids =
        runtime::tokenizer::load(config.model.model_id)->encode(request.prompt);
}

generation_record run(engine &model, const generation_request &request,
                      std::ostream *text) {
  const interrupt_guard interrupt;
  const auto events = std::make_shared<event_queue>(interrupt.flag());
  generation_record record(steady_clock().now());
  model.submit(request, events);
  for (bool last = false; !last;) {
    const auto [event, arrived] = events->pop();
    throw_if_failed(event);
    const auto piece = record.add(event, arrived);
    if (text != nullptr)
      *text << piece << std::flush;
    last = event.last();
  }
  return record;
}

/// What a step took at the optimisation level asked for.
std::string step_times(const engine_status &status, std::int64_t level) {
  if (status.steps == 0)
    return {};
  char line[128];
  std::snprintf(line, sizeof line,
                "%llu steps of %.3f ms at neuron_optimize_level %lld\n",
                static_cast<unsigned long long>(status.steps),
                status.step_seconds * 1e3 / static_cast<double>(status.steps),
                static_cast<long long>(level));
  return line;
}

int generate(const runtime::parsed_command &arguments,
             command_context &context) {
  const auto config = load_single_config(arguments, context);
  auto request = generate_request(arguments, context.in);
  const bool json = arguments.own.boolean("json");
  if (json)
    tokenise(request, config);
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  engine model(config, observer_of(view));
  wait_until_ready(model);
  view.finish();
  if (!json)
    context.out << request.prompt << std::flush;
  const auto record = run(model, request, json ? nullptr : &context.out);
  context.out << (json ? record.json(request.prompt_ids) : "\n") << std::flush;
  context.err << step_times(model.status(), config.graph.neuron_optimize_level)
              << record.summary();
  return record.finish() == finish_reason::cancelled ? exit_failure : exit_ok;
}

} // namespace

command generate_command() {
  return {{.name = "generate",
           .summary = "Continues a prompt; prints text as it comes",
           .positional = "[PROMPT]",
           .max_positionals = 1,
           .takes_engine_options = true,
           .options = generate_options()},
          generate};
}

} // namespace ganglion::apps

// ganglion score: how likely a given continuation is.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/event_queue.hpp"
#include "apps/cli/interrupt.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/error_table.hpp"
#include "apps/lmi/response_text.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

/// Tokens of which the first `given` are not scored.
struct scored_text {
  std::vector<std::int32_t> ids;
  std::size_t given = 0;
};

/// The context and its continuation are one text to the tokenizer; what comes
/// after the tokens of the context alone is scored.
scored_text tokenise(const std::string &context,
                     const std::string &continuation,
                     const engine_config &config) {
  const auto tokens = runtime::tokenizer::load(config.model.model_id);
  const auto before = tokens->encode(context);
  scored_text out;
  out.ids = tokens->encode(context + continuation);
  out.given = std::min(before.size(), out.ids.size());
  if (out.given == out.ids.size())
    throw error(error_code::invalid_argument,
                "the continuation adds no tokens to the context",
                "command line", "CONTINUATION");
  return out;
}

std::vector<runtime::generated_token>
run(engine &model, const std::vector<std::int32_t> &ids) {
  const interrupt_guard interrupt;
  const auto events = std::make_shared<event_queue>(interrupt.flag());
  generation_request request;
  request.prompt_ids = ids;
  request.prompt_logprobs = 1;
  request.prompt_only = true;
  model.submit(std::move(request), events);
  for (;;) {
    auto [event, arrived] = events->pop();
    throw_if_failed(event);
    if (event.finish == finish_reason::cancelled)
      throw error(error_code::cancelled, "interrupted");
    if (event.last())
      return std::move(event.prompt);
  }
}

/// The first token of a text has no log-probability, and adds none.
std::string answer(std::span<const runtime::generated_token> tokens) {
  double sum = 0;
  bool greedy = true;
  json::writer out;
  out.begin_object().key("tokens").begin_array();
  for (const auto &t : tokens) {
    out.begin_object().key("id").integer(t.id);
    out.key("text").string(t.text);
    out.key("logprob").raw(float_text(t.logprob)).end_object();
    if (t.top.empty())
      continue;
    sum += t.logprob;
    greedy = greedy && t.top[0].id == t.id;
  }
  out.end_array().key("logprob").real(sum);
  out.key("greedy").boolean(greedy).end_object();
  return out.text() + "\n";
}

int score(const runtime::parsed_command &arguments, command_context &context) {
  if (arguments.positionals.empty())
    throw error(error_code::invalid_argument, "required but missing",
                "command line", "CONTINUATION");
  const auto config = load_single_config(arguments, context);
  const auto text = tokenise(arguments.own.string("context"),
                             arguments.positionals.front(), config);
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  engine model(config, observer_of(view));
  wait_until_ready(model);
  view.finish();
  const auto tokens = run(model, text.ids);
  context.out << answer(std::span(tokens).subspan(text.given)) << std::flush;
  return exit_ok;
}

} // namespace

command score_command() {
  return {{.name = "score",
           .summary = "Tells how likely a given continuation is",
           .positional = "CONTINUATION",
           .max_positionals = 1,
           .takes_engine_options = true,
           .options = {{.name = "context",
                        .fallback = "",
                        .help = "the text before it; not scored"}}},
          score};
}

} // namespace ganglion::apps

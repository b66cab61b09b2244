#include "apps/openai/openai_call.hpp"

#include "apps/openai/field_table.hpp"
#include "apps/serving/parameter_reading.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

constexpr const char *place = "request";
/// What OpenAI generates where a completion does not say.
constexpr std::int64_t default_completion = 16;
/// All prompts of a call together.
constexpr std::size_t most_sequences = 1024;

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, place, field);
}

void apply_field(openai_call &call, const std::string &name,
                 const json::value &v) {
  const auto *row = find_openai_field(call.route, name);
  if (row == nullptr)
    refuse_unknown(v);
  if (v.is_null())
    return;
  if (row->apply != nullptr)
    row->apply(call, v);
  else if (!row->harmless(v))
    refuse_unsupported(v);
}

void check_prompts(const openai_call &call) {
  if (call.prompts.empty())
    refuse("prompt", "required but missing");
  if (call.prompts.size() * call.tries() > most_sequences)
    refuse("prompt", std::to_string(call.prompts.size()) + " prompts with " +
                         std::to_string(call.tries()) +
                         " choices each; accepted: at most " +
                         std::to_string(most_sequences) + " together");
}

/// What concerns more than one field.
void check_together(const openai_call &call) {
  if (call.include_usage && !call.stream)
    refuse("stream_options", "accepted with 'stream' only");
  if (call.route == openai_route::chat && !call.logprobs &&
      call.request.top_logprobs.value_or(0) > 0)
    refuse("top_logprobs", "accepted with 'logprobs' only");
  check_tools(call.tools, call.request);
  if (call.request.prompt_only && !call.echo)
    refuse("max_tokens", "0 is accepted with 'echo' only");
  if (call.best_of == 0)
    return;
  if (call.best_of < call.n)
    refuse("best_of",
           "less than 'n'; accepted: " + std::to_string(call.n) + " or more");
  if (call.stream && call.best_of > call.n)
    refuse("best_of", "a stream cannot choose; accepted with 'stream': 'n'");
}

} // namespace

openai_call parse_openai_call(openai_route route, std::string_view body) {
  const auto document = json::document::parse(body, place);
  openai_call call;
  call.route = route;
  call.request.sampling.do_sample = true;
  for (const auto &[name, v] : document.root().members())
    apply_field(call, name, v);
  if (route == openai_route::completions) {
    check_prompts(call);
    if (call.request.max_new_tokens == 0 && !call.request.prompt_only)
      call.request.max_new_tokens = default_completion;
  }
  if (route == openai_route::chat) {
    if (call.messages.is_none())
      refuse("messages", "required but missing");
    call.prompts.resize(1);
    call.request.add_special_tokens = false; // the template writes them
  }
  check_together(call);
  if (call.echo)
    call.request.prompt_logprobs = call.request.top_logprobs;
  runtime::validate(call.request);
  return call;
}

std::vector<runtime::generation_request> sequences_of(const openai_call &call) {
  std::vector<runtime::generation_request> out;
  for (const auto &prompt : call.prompts)
    for (std::size_t i = 0; i < call.tries(); ++i) {
      auto sequence = call.request;
      sequence.prompt = prompt.prompt;
      sequence.prompt_ids = prompt.prompt_ids;
      if (sequence.seed)
        *sequence.seed += i;
      out.push_back(std::move(sequence));
    }
  return out;
}

} // namespace ganglion::apps

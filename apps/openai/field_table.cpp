#include "apps/openai/field_table.hpp"

#include "apps/openai/message_field.hpp"
#include "apps/openai/prompt_field.hpp"
#include "apps/serving/parameter_reading.hpp"
#include "apps/serving/structured_fields.hpp"
#include "apps/serving/token_lists.hpp"
#include "runtime/chat/from_json.hpp"

#include <limits>

namespace ganglion::apps {

namespace {

using json::value;

constexpr auto completions = static_cast<unsigned>(openai_route::completions);
constexpr auto chat = static_cast<unsigned>(openai_route::chat);
constexpr auto both = completions | chat;

constexpr std::int64_t most_choices = 128;

bool any(const value &) { return true; }
bool is_auto(const value &v) {
  const auto word = v.as_string_view();
  return word == "auto" || word == "default";
}
bool is_none(const value &v) {
  return v.is_string() &&
         (v.as_string_view() == "none" || v.as_string_view() == "auto");
}
bool is_text_only(const value &v) {
  for (const auto &item : v.items())
    if (item.as_string_view() != "text")
      return false;
  return true;
}

/// Zero is OpenAI's word for the likeliest token.
void set_temperature(openai_call &c, const value &v) {
  const float temperature = real(v, 0, 2);
  if (temperature > 0)
    c.request.sampling.temperature = temperature;
  else
    c.request.sampling.do_sample = false;
}

void set_top_p(openai_call &c, const value &v) {
  const float top_p = real(v, 0, 1);
  if (top_p > 0)
    c.request.sampling.top_p = top_p;
  else
    c.request.sampling.do_sample = false;
}

/// -1 is what others write for "off".
void set_top_k(openai_call &c, const value &v) {
  const auto k = whole(v, -1, std::numeric_limits<std::int32_t>::max());
  c.request.sampling.top_k = k < 0 ? 0 : static_cast<std::int32_t>(k);
}

void set_max_tokens(openai_call &c, const value &v) {
  c.request.max_new_tokens = whole(v, 1, most_tokens);
}

/// Of completions; nothing new is fine where the prompt is echoed.
void set_any_max_tokens(openai_call &c, const value &v) {
  c.request.max_new_tokens = whole(v, 0, most_tokens);
  c.request.prompt_only = c.request.max_new_tokens == 0;
}

/// The engine knows how many it gives.
void set_top_logprobs(openai_call &c, const value &v) {
  c.request.top_logprobs = count(v);
}

void set_variables(openai_call &c, const value &v) {
  c.variables.clear();
  for (const auto &[name, variable] : v.members())
    c.variables.emplace_back(name, runtime::chat::from_json(variable));
}

void set_seed(openai_call &c, const value &v) {
  c.request.seed = static_cast<std::uint64_t>(v.as_int());
}

void set_stop(openai_call &c, const value &v) {
  c.request.stop.clear();
  each(v, [&](const value &s) { c.request.stop.push_back(s.as_string()); });
}

void set_stop_ids(openai_call &c, const value &v) {
  c.request.stop_token_ids.clear();
  add_token_ids(c.request.stop_token_ids, v);
}

void set_allowed(openai_call &c, const value &v) {
  auto &ids = c.request.sampling.own_rules().allowed_token_ids;
  ids.clear();
  add_token_ids(ids, v);
}

void set_biases(openai_call &c, const value &v) {
  auto &biases = c.request.sampling.own_rules().logit_bias;
  biases.clear();
  add_token_biases(biases, v);
  for (const auto &[name, bias] : v.members())
    real(bias, -100, 100); // throws naming the token
}

/// A number among the sampling parameters, which `validate` bounds.
template <auto member>
void set_real(openai_call &c, const value &v) {
  c.request.sampling.*member = real(v);
}

/// The form of the text, by one of its readers.
template <auto set>
void set_form(openai_call &c, const value &v) {
  set(c.request, v);
}

using sampling = runtime::sampling_parameters;

void set_stream_options(openai_call &c, const value &v) {
  for (const auto &[name, option] : v.members()) {
    if (name == "include_usage")
      c.include_usage = !option.is_null() && option.as_bool();
    else if (name != "include_obfuscation")
      refuse_unknown(option);
    else if (!option.is_null() && option.as_bool())
      refuse_unsupported(option);
  }
}

constexpr openai_field table[] = {
    {"model", both,
     [](openai_call &c, const value &v) { c.model = v.as_string(); }},
    {"prompt", completions, set_prompt},
    {"messages", chat,
     [](openai_call &c, const value &v) { c.messages = read_messages(v); }},
    {"chat_template_kwargs", chat, set_variables},
    {"add_generation_prompt", chat,
     [](openai_call &c, const value &v) {
       c.add_generation_prompt = v.as_bool();
     }},
    {"n", both,
     [](openai_call &c, const value &v) { c.n = whole(v, 1, most_choices); }},
    {"best_of", completions,
     [](openai_call &c, const value &v) {
       c.best_of = whole(v, 1, most_choices);
     }},
    {"stream", both,
     [](openai_call &c, const value &v) { c.stream = v.as_bool(); }},
    {"stream_options", both, set_stream_options},
    {"timings", both,
     [](openai_call &c, const value &v) { c.timings = v.as_bool(); }},
    {"echo", completions,
     [](openai_call &c, const value &v) { c.echo = v.as_bool(); }},

    {"max_tokens", completions, set_any_max_tokens},
    {"max_tokens", chat, set_max_tokens},
    {"max_completion_tokens", chat, set_max_tokens},
    {"temperature", both, set_temperature},
    {"top_p", both, set_top_p},
    {"top_k", both, set_top_k},
    {"repetition_penalty", both, set_real<&sampling::repetition_penalty>},
    {"frequency_penalty", both, set_real<&sampling::frequency_penalty>},
    {"presence_penalty", both, set_real<&sampling::presence_penalty>},
    {"min_p", both, set_real<&sampling::min_p>},
    {"min_tokens", both,
     [](openai_call &c, const value &v) {
       c.request.sampling.min_new_tokens = whole(v, 0, most_tokens);
     }},
    {"logit_bias", both, set_biases},
    {"allowed_token_ids", both, set_allowed},
    {"include_stop_str_in_output", both,
     [](openai_call &c, const value &v) {
       c.request.include_stop_str_in_output = v.as_bool();
     }},
    {"seed", both, set_seed},
    {"stop", both, set_stop},
    {"stop_token_ids", both, set_stop_ids},
    {"ignore_eos", both,
     [](openai_call &c, const value &v) {
       c.request.ignore_eos = v.as_bool();
     }},
    {"skip_special_tokens", both,
     [](openai_call &c, const value &v) {
       c.request.skip_special_tokens = v.as_bool();
     }},
    {"add_special_tokens", completions,
     [](openai_call &c, const value &v) {
       c.request.add_special_tokens = v.as_bool();
     }},

    {"cache_salt", both,
     [](openai_call &c, const value &v) {
       c.request.cache_salt = v.as_string();
     }},

    {"logprobs", completions, set_top_logprobs},
    {"logprobs", chat,
     [](openai_call &c, const value &v) { c.logprobs = v.as_bool(); }},
    {"top_logprobs", chat, set_top_logprobs},

    {"response_format", both, set_form<set_response_format>},
    {"structured_outputs", both, set_form<set_structured_outputs>},
    {"guided_json", both, set_form<set_json_form>},
    {"guided_regex", both, set_form<set_regex_form>},
    {"guided_choice", both, set_form<set_choice_form>},
    {"guided_grammar", both, set_form<set_grammar_form>},

    {"tools", chat,
     [](openai_call &c, const value &v) { set_tools(c.tools, v); }},
    {"tool_choice", chat,
     [](openai_call &c, const value &v) { set_tool_choice(c.tools, v); }},
    {"parallel_tool_calls", chat,
     [](openai_call &c, const value &v) { c.tools.several = v.as_bool(); }},

    // Who asks and why: kept by nobody here.
    {"user", both, nullptr, any},
    {"safety_identifier", both, nullptr, any},
    {"prompt_cache_key", both, nullptr, any},
    {"metadata", both, nullptr, any},
    {"request_id", both, nullptr, any},

    // Values that ask for what is done anyway.
    {"prompt_logprobs", both, nullptr, never},
    {"suffix", completions, nullptr, is_empty},
    {"continue_final_message", chat, nullptr, is_off},
    {"store", chat, nullptr, is_off},
    {"service_tier", both, nullptr, is_auto},
    {"modalities", chat, nullptr, is_text_only},
    {"functions", chat, nullptr, is_empty},
    {"function_call", chat, nullptr, is_none},
    {"spaces_between_special_tokens", both, nullptr, is_on},
    {"length_penalty", both, nullptr, is_one},
    {"early_stopping", both, nullptr, is_off},
    {"use_beam_search", both, nullptr, is_off},
    {"bad_words", both, nullptr, is_empty},
    {"priority", both, nullptr, is_zero},
    {"return_token_ids", both, nullptr, is_off},
    {"return_tokens_as_token_ids", both, nullptr, is_off},

    // Known, and not implemented whatever the value.
    {"audio", chat, nullptr, never},
    {"prediction", chat, nullptr, never},
    {"reasoning_effort", chat, nullptr, never},
    {"verbosity", chat, nullptr, never},
    {"web_search_options", chat, nullptr, never},
    {"documents", chat, nullptr, never},
    {"chat_template", chat, nullptr, never},
    {"truncate_prompt_tokens", both, nullptr, never},
    {"logits_processors", both, nullptr, never},
    {"kv_transfer_params", both, nullptr, never},
    {"mm_processor_kwargs", both, nullptr, never},
};

} // namespace

std::span<const openai_field> openai_fields() { return table; }

const openai_field *find_openai_field(openai_route route,
                                      std::string_view name) {
  for (const auto &row : table)
    if ((row.routes & static_cast<unsigned>(route)) != 0 && row.name == name)
      return &row;
  return nullptr;
}

} // namespace ganglion::apps

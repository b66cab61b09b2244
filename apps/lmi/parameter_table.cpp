#include "apps/lmi/parameter_table.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "apps/serving/structured_fields.hpp"
#include "apps/serving/token_lists.hpp"
#include "runtime/generation/generation_config.hpp"

#include <chrono>
#include <limits>

namespace ganglion::apps {

namespace {

using json::value;

void add_stops(invocation &call, const value &v) {
  each(v, [&](const value &s) { call.request.stop.push_back(s.as_string()); });
}

void set_ignore_eos(invocation &call, const value &v) {
  call.request.ignore_eos = v.as_bool();
}

void add_biases(invocation &call, const value &v) {
  add_token_biases(call.request.sampling.own_rules().logit_bias, v);
}

/// Lists of token ids.
void add_bad_words(invocation &call, const value &v) {
  auto &words = call.request.sampling.own_rules().bad_words_ids;
  for (const auto &word : v.items())
    add_token_ids(words.emplace_back(), word);
}

/// A number among the sampling parameters.
template <auto member>
void set_real(invocation &call, const value &v) {
  call.request.sampling.*member = real(v);
}

/// A list of token ids among the rules.
template <auto member>
void set_ids(invocation &call, const value &v) {
  add_token_ids(call.request.sampling.own_rules().*member, v);
}

/// The form of the text, by one of its readers.
template <auto set>
void set_form(invocation &c, const value &v) {
  set(c.request, v);
}

using sampling = runtime::sampling_parameters;
using rules = runtime::token_rules;

void set_top(invocation &call, const value &v) {
  call.request.top_logprobs = count(v);
}

constexpr std::int64_t most_choices = 16;
constexpr float longest_timeout = 1e6f; ///< seconds

constexpr lmi_parameter table[] = {
    {"max_new_tokens",
     [](invocation &c, const value &v) {
       c.request.max_new_tokens = whole(v, 1, most_tokens);
     },
     nullptr},
    {"do_sample",
     [](invocation &c, const value &v) {
       c.request.sampling.do_sample = v.as_bool();
     },
     nullptr},
    {"temperature", set_real<&sampling::temperature>, nullptr},
    {"top_k",
     [](invocation &c, const value &v) { c.request.sampling.top_k = count(v); },
     nullptr},
    {"top_p", set_real<&sampling::top_p>, nullptr},
    {"min_p", set_real<&sampling::min_p>, nullptr},
    {"typical_p", set_real<&sampling::typical_p>, nullptr},
    {"epsilon_cutoff", set_real<&sampling::epsilon_cutoff>, nullptr},
    {"eta_cutoff", set_real<&sampling::eta_cutoff>, nullptr},
    {"top_n_sigma", set_real<&sampling::top_n_sigma>, nullptr},
    {"repetition_penalty", set_real<&sampling::repetition_penalty>, nullptr},
    {"frequency_penalty", set_real<&sampling::frequency_penalty>, nullptr},
    {"presence_penalty", set_real<&sampling::presence_penalty>, nullptr},
    {"no_repeat_ngram_size",
     [](invocation &c, const value &v) {
       c.request.sampling.no_repeat_ngram_size = count(v);
     },
     nullptr},
    {"min_new_tokens",
     [](invocation &c, const value &v) {
       c.request.sampling.min_new_tokens = whole(v, 0, most_tokens);
     },
     nullptr},
    {"num_beams",
     [](invocation &c, const value &v) { c.request.num_beams = count(v); },
     nullptr},
    {"length_penalty",
     [](invocation &c, const value &v) { c.request.length_penalty = real(v); },
     nullptr},
    {"early_stopping",
     [](invocation &c, const value &v) {
       c.request.early_stopping = runtime::parse_early_stopping(v);
     },
     nullptr},
    {"logit_bias", add_biases, nullptr},
    {"bad_words_ids", add_bad_words, nullptr},
    {"allowed_token_ids", set_ids<&rules::allowed_token_ids>, nullptr},
    {"suppress_tokens", set_ids<&rules::suppress_tokens>, nullptr},
    {"begin_suppress_tokens", set_ids<&rules::begin_suppress_tokens>, nullptr},
    {"forced_bos_token_id",
     [](invocation &c, const value &v) {
       c.request.sampling.own_rules().forced_bos_token_id = count(v);
     },
     nullptr},
    {"forced_eos_token_id", set_ids<&rules::forced_eos_token_id>, nullptr},
    {"seed",
     [](invocation &c, const value &v) {
       c.request.seed = static_cast<std::uint64_t>(
           whole(v, 0, std::numeric_limits<std::int64_t>::max()));
     },
     nullptr},
    {"stop", add_stops, nullptr},
    {"stop_sequences", add_stops, nullptr},
    {"stop_token_ids",
     [](invocation &c, const value &v) {
       add_token_ids(c.request.stop_token_ids, v);
     },
     nullptr},
    {"ignore_eos", set_ignore_eos, nullptr},
    {"ignore_eos_token", set_ignore_eos, nullptr},
    {"include_stop_str_in_output",
     [](invocation &c, const value &v) {
       c.request.include_stop_str_in_output = v.as_bool();
     },
     nullptr},
    {"timeout",
     [](invocation &c, const value &v) {
       c.request.timeout = std::chrono::duration_cast<duration>(
           std::chrono::duration<double>(real(v, 0, longest_timeout)));
     },
     nullptr},
    {"skip_special_tokens",
     [](invocation &c, const value &v) {
       c.request.skip_special_tokens = v.as_bool();
     },
     nullptr},
    {"timings", [](invocation &c, const value &v) { c.timings = v.as_bool(); },
     nullptr},
    {"details", [](invocation &c, const value &v) { c.details = v.as_bool(); },
     nullptr},
    {"top_n_tokens", set_top, nullptr},
    {"logprobs", set_top, nullptr},
    {"decoder_input_details",
     [](invocation &c, const value &v) {
       if (v.as_bool() && !c.request.prompt_logprobs)
         c.request.prompt_logprobs = 0;
     },
     nullptr},
    {"prompt_logprobs",
     [](invocation &c, const value &v) {
       c.request.prompt_logprobs = count(v);
     },
     nullptr},
    {"processed_logprobs",
     [](invocation &c, const value &v) {
       c.request.processed_logprobs = v.as_bool();
     },
     nullptr},
    {"structured_outputs", set_form<set_structured_outputs>, nullptr},
    {"response_format", set_form<set_response_format>, nullptr},
    {"guided_json", set_form<set_json_form>, nullptr},
    {"guided_regex", set_form<set_regex_form>, nullptr},
    {"guided_choice", set_form<set_choice_form>, nullptr},
    {"guided_grammar", set_form<set_grammar_form>, nullptr},
    {"return_full_text",
     [](invocation &c, const value &v) { c.return_full_text = v.as_bool(); },
     nullptr},

    {"n",
     [](invocation &c, const value &v) {
       c.request.n = static_cast<std::int32_t>(whole(v, 1, most_choices));
     },
     nullptr},
    {"best_of",
     [](invocation &c, const value &v) {
       c.request.best_of = static_cast<std::int32_t>(whole(v, 1, most_choices));
     },
     nullptr},

    {"truncate", nullptr, never},
    {"spaces_between_special_tokens", nullptr, is_on},
};

} // namespace

std::span<const lmi_parameter> lmi_parameters() { return table; }

const lmi_parameter *find_lmi_parameter(std::string_view name) {
  for (const auto &row : table)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace ganglion::apps

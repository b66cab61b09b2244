#include "apps/lmi/parameter_table.hpp"

#include "apps/serving/parameter_reading.hpp"

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

void set_top(invocation &call, const value &v) {
  call.request.top_logprobs = count(v);
}

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
    {"temperature",
     [](invocation &c, const value &v) {
       c.request.sampling.temperature = real(v);
     },
     nullptr},
    {"top_k",
     [](invocation &c, const value &v) { c.request.sampling.top_k = count(v); },
     nullptr},
    {"top_p",
     [](invocation &c, const value &v) { c.request.sampling.top_p = real(v); },
     nullptr},
    {"repetition_penalty",
     [](invocation &c, const value &v) {
       c.request.sampling.repetition_penalty = real(v);
     },
     nullptr},
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
       each(v, [&](const value &id) {
         c.request.stop_token_ids.push_back(count(id));
       });
     },
     nullptr},
    {"ignore_eos", set_ignore_eos, nullptr},
    {"ignore_eos_token", set_ignore_eos, nullptr},
    {"skip_special_tokens",
     [](invocation &c, const value &v) {
       c.request.skip_special_tokens = v.as_bool();
     },
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
    {"return_full_text",
     [](invocation &c, const value &v) { c.return_full_text = v.as_bool(); },
     nullptr},

    {"typical_p", nullptr, is_one},
    {"presence_penalty", nullptr, is_zero},
    {"frequency_penalty", nullptr, is_zero},
    {"min_p", nullptr, is_zero},
    {"length_penalty", nullptr, is_one},
    {"logit_bias", nullptr, is_empty},
    {"n", nullptr, is_one},
    {"best_of", nullptr, is_one},
    {"num_beams", nullptr, is_one},
    {"early_stopping", nullptr, is_off},
    {"truncate", nullptr, never},
    {"spaces_between_special_tokens", nullptr, is_on},
    {"include_stop_str_in_output", nullptr, is_off},
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

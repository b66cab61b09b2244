#include "apps/tgi/parameter_table.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "apps/serving/structured_fields.hpp"

#include <limits>

namespace ganglion::apps {

namespace {

using json::value;

// TGI samples where any of these asks for something, even without `do_sample`.

void set_temperature(tgi_call &c, const value &v) {
  c.request.sampling.temperature = real(v);
  c.request.sampling.do_sample |= c.request.sampling.temperature != 1;
}

void set_top_k(tgi_call &c, const value &v) {
  c.request.sampling.top_k = count(v);
  c.request.sampling.do_sample |= c.request.sampling.top_k > 0;
}

void set_top_p(tgi_call &c, const value &v) {
  c.request.sampling.top_p = real(v);
  c.request.sampling.do_sample |= c.request.sampling.top_p != 1;
}

void set_typical_p(tgi_call &c, const value &v) {
  c.request.sampling.typical_p = real(v);
  c.request.sampling.do_sample |= c.request.sampling.typical_p != 1;
}

constexpr tgi_parameter table[] = {
    {"max_new_tokens",
     [](tgi_call &c, const value &v) {
       c.request.max_new_tokens = whole(v, 1, most_tokens);
     }},
    {"do_sample",
     [](tgi_call &c, const value &v) {
       c.request.sampling.do_sample |= v.as_bool();
     }},
    {"temperature", set_temperature},
    {"top_k", set_top_k},
    {"top_p", set_top_p},
    {"repetition_penalty",
     [](tgi_call &c, const value &v) {
       c.request.sampling.repetition_penalty = real(v);
     }},
    {"typical_p", set_typical_p},
    {"frequency_penalty",
     [](tgi_call &c, const value &v) {
       c.request.sampling.frequency_penalty = real(v);
     }},
    {"seed",
     [](tgi_call &c, const value &v) {
       c.request.seed = static_cast<std::uint64_t>(
           whole(v, 0, std::numeric_limits<std::int64_t>::max()));
     }},
    {"stop",
     [](tgi_call &c, const value &v) {
       for (const auto &s : v.items())
         c.request.stop.push_back(s.as_string());
     }},
    {"best_of", [](tgi_call &c,
                   const value &v) { c.best_of = whole(v, 1, most_best_of); }},
    {"details", [](tgi_call &c, const value &v) { c.details = v.as_bool(); }},
    {"return_full_text",
     [](tgi_call &c, const value &v) { c.return_full_text = v.as_bool(); }},

    {"decoder_input_details",
     [](tgi_call &c, const value &v) {
       if (v.as_bool())
         c.request.prompt_logprobs = 0;
     }},
    {"top_n_tokens",
     [](tgi_call &c, const value &v) { c.request.top_logprobs = count(v); }},

    {"grammar",
     [](tgi_call &c, const value &v) { set_tgi_grammar(c.request, v); }},

    {"watermark", nullptr, is_off},
    {"truncate", nullptr, never},
    {"adapter_id", nullptr, never},
};

} // namespace

std::span<const tgi_parameter> tgi_parameters() { return table; }

const tgi_parameter *find_tgi_parameter(std::string_view name) {
  for (const auto &row : table)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace ganglion::apps

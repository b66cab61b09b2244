#include "runtime/generation/generation_request.hpp"

#include "hlo/support/error.hpp"

#include <cmath>
#include <sstream>

namespace ganglion::runtime {

namespace {

/// One row per number with a range: the validation table.
struct bounded {
  const char *field;
  double (*value)(const generation_request &);
  bool (*accepts)(double);
  const char *accepted;
};

constexpr bounded table[] = {
    {"temperature",
     [](const generation_request &r) { return double(r.sampling.temperature); },
     [](double v) { return v > 0 && v <= 1000; },
     "greater than 0, at most 1000"},
    {"top_k",
     [](const generation_request &r) { return double(r.sampling.top_k); },
     [](double v) { return v >= 0; }, "0 (off) or more"},
    {"top_p",
     [](const generation_request &r) { return double(r.sampling.top_p); },
     [](double v) { return v > 0 && v <= 1; }, "greater than 0, at most 1"},
    {"repetition_penalty",
     [](const generation_request &r) {
       return double(r.sampling.repetition_penalty);
     },
     [](double v) { return v > 0 && v <= 1000; },
     "greater than 0, at most 1000"},
    {"top_logprobs",
     [](const generation_request &r) {
       return double(r.top_logprobs.value_or(0));
     },
     [](double v) { return v >= 0; }, "0 or more"},
    {"prompt_logprobs",
     [](const generation_request &r) {
       return double(r.prompt_logprobs.value_or(0));
     },
     [](double v) { return v >= 0; }, "0 or more"},
    {"n", [](const generation_request &r) { return double(r.n); },
     [](double v) { return v >= 1 && v <= 128; }, "1 to 128"},
    {"best_of", [](const generation_request &r) { return double(r.best_of); },
     [](double v) { return v >= 0 && v <= 128; }, "n to 128"},
    {"max_new_tokens",
     [](const generation_request &r) { return double(r.max_new_tokens); },
     [](double v) { return v >= 0; }, "1 or more"},
};

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

void check_stops(const generation_request &request) {
  if (request.stop.size() > most_stop_strings)
    refuse("stop", std::to_string(request.stop.size()) +
                       " stop strings; accepted: at most " +
                       std::to_string(most_stop_strings));
  for (const std::string &s : request.stop)
    if (s.empty() || s.size() > longest_stop_string)
      refuse("stop", "a stop string of " + std::to_string(s.size()) +
                         " bytes; accepted: 1 to " +
                         std::to_string(longest_stop_string));
}

void check_choices(const generation_request &request) {
  if (request.best_of != 0 && request.best_of < request.n)
    refuse("best_of", std::to_string(request.best_of) +
                          " is less than n, which is " +
                          std::to_string(request.n));
  if (request.n > 1 && (request.prompt_logits || request.prompt_only))
    refuse("n", std::to_string(request.n) +
                    " choices of a request that generates nothing; accepted: "
                    "1");
}

} // namespace

void validate(const generation_request &request) {
  for (const bounded &row : table) {
    const double value = row.value(request);
    if (std::isfinite(value) && row.accepts(value))
      continue;
    std::ostringstream text;
    text << value << " is out of range; accepted: " << row.accepted;
    refuse(row.field, text.str());
  }
  check_stops(request);
  check_choices(request);
}

} // namespace ganglion::runtime

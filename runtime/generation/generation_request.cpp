#include "runtime/generation/generation_request.hpp"

#include "hlo/support/error.hpp"

#include <cmath>
#include <limits>
#include <sstream>

namespace ganglion::runtime {

namespace {

constexpr double unbounded = std::numeric_limits<double>::max();

/// One row per number with a range: the validation table.
struct bounded {
  const char *field;
  double (*value)(const generation_request &);
  double least, most;
  bool above = false; ///< `least` itself is not accepted
};

template <auto member>
double sampling(const generation_request &r) {
  return static_cast<double>(r.sampling.*member);
}

template <auto member>
double count(const generation_request &r) {
  return static_cast<double>((r.*member).value_or(0));
}

using p = sampling_parameters;

constexpr bounded table[] = {
    {"temperature", sampling<&p::temperature>, 0, 1000, true},
    {"top_k", sampling<&p::top_k>, 0, unbounded},
    {"top_p", sampling<&p::top_p>, 0, 1, true},
    {"min_p", sampling<&p::min_p>, 0, 1},
    {"typical_p", sampling<&p::typical_p>, 0, 1, true},
    {"epsilon_cutoff", sampling<&p::epsilon_cutoff>, 0, 1},
    {"eta_cutoff", sampling<&p::eta_cutoff>, 0, 1},
    {"top_n_sigma", sampling<&p::top_n_sigma>, 0, 1000},
    {"repetition_penalty", sampling<&p::repetition_penalty>, 0, 1000, true},
    {"frequency_penalty", sampling<&p::frequency_penalty>, -2, 2},
    {"presence_penalty", sampling<&p::presence_penalty>, -2, 2},
    {"no_repeat_ngram_size", sampling<&p::no_repeat_ngram_size>, 0, unbounded},
    {"min_new_tokens", sampling<&p::min_new_tokens>, 0, unbounded},
    {"n", [](const generation_request &r) { return double(r.n); }, 1, 128},
    {"best_of", [](const generation_request &r) { return double(r.best_of); },
     0, 128},
    {"num_beams",
     [](const generation_request &r) { return double(r.num_beams); }, 1, 128},
    {"length_penalty",
     [](const generation_request &r) { return double(r.length_penalty); },
     -1000, 1000},
    {"top_logprobs", count<&generation_request::top_logprobs>, 0, unbounded},
    {"prompt_logprobs", count<&generation_request::prompt_logprobs>, 0,
     unbounded},
    {"max_new_tokens",
     [](const generation_request &r) {
       return static_cast<double>(r.max_new_tokens);
     },
     0, unbounded},
};

/// Ids in a list, and of all words of a list together.
constexpr std::size_t most_ids = std::size_t{1} << 20;

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

std::string accepted(const bounded &row) {
  std::ostringstream text;
  if (row.most == unbounded)
    text << row.least << " or more";
  else if (row.above)
    text << "greater than " << row.least << ", at most " << row.most;
  else
    text << row.least << " to " << row.most;
  return text.str();
}

void check_numbers(const generation_request &request) {
  for (const bounded &row : table) {
    const double value = row.value(request);
    const bool low = row.above ? value <= row.least : value < row.least;
    if (std::isfinite(value) && !low && value <= row.most)
      continue;
    std::ostringstream text;
    text << value << " is out of range; accepted: " << accepted(row);
    refuse(row.field, text.str());
  }
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

void check_beams(const generation_request &request) {
  if (request.num_beams == 1)
    return;
  const auto beams = std::to_string(request.num_beams);
  if (request.n > request.num_beams)
    refuse("n", std::to_string(request.n) +
                    " texts; accepted: at most num_beams, which is " + beams);
  const auto apart = [&](bool given, const char *field) {
    if (given)
      refuse(field, "not together with num_beams, which is " + beams);
  };
  apart(request.sampling.do_sample, "do_sample");
  apart(request.best_of != 0, "best_of");
  apart(!request.stop.empty(), "stop");
  apart(request.top_logprobs.has_value(), "top_logprobs");
  apart(request.prompt_logprobs.has_value(), "prompt_logprobs");
  apart(request.structured_outputs.has_value(), "structured_outputs");
  apart(request.prompt_logits, "prompt_logits");
  apart(request.prompt_only, "prompt_only");
}

/// A text that must follow a form must be able to end.
void check_form(const generation_request &request) {
  if (request.structured_outputs && request.ignore_eos)
    refuse("ignore_eos", "true is not accepted with structured_outputs, whose "
                         "text the end of text ends");
}

void check_size(const char *field, std::size_t ids) {
  if (ids > most_ids)
    refuse(field, std::to_string(ids) + " token ids; accepted: at most " +
                      std::to_string(most_ids));
}

void check_rules(const token_rules &rules) {
  for (const token_bias &b : rules.logit_bias)
    if (!std::isfinite(b.bias))
      refuse("logit_bias", "the bias of token " + std::to_string(b.token) +
                               " is not finite; bad_words_ids and "
                               "suppress_tokens exclude tokens");
  std::size_t words = 0;
  for (const auto &word : rules.bad_words_ids) {
    if (word.empty())
      refuse("bad_words_ids", "a word without tokens; accepted: 1 or more");
    words += word.size();
  }
  check_size("bad_words_ids", words);
  check_size("logit_bias", rules.logit_bias.size());
  check_size("allowed_token_ids", rules.allowed_token_ids.size());
  check_size("suppress_tokens", rules.suppress_tokens.size());
  check_size("begin_suppress_tokens", rules.begin_suppress_tokens.size());
  check_size("forced_eos_token_id", rules.forced_eos_token_id.size());
}

void check_id(const char *field, std::int32_t id, std::int64_t vocabulary) {
  if (id < 0 || id >= vocabulary)
    refuse(field, "token id " + std::to_string(id) +
                      " is outside the vocabulary of " +
                      std::to_string(vocabulary));
}

void check_ids(const char *field, const std::vector<std::int32_t> &ids,
               std::int64_t vocabulary) {
  for (const std::int32_t id : ids)
    check_id(field, id, vocabulary);
}

} // namespace

void validate(const generation_request &request) {
  check_numbers(request);
  check_stops(request);
  check_choices(request);
  check_beams(request);
  check_form(request);
  if (request.sampling.rules)
    check_rules(*request.sampling.rules);
}

void check_vocabulary(const generation_request &request,
                      const std::vector<std::int32_t> &prompt,
                      std::int64_t vocabulary) {
  check_ids("prompt_ids", prompt, vocabulary);
  check_ids("stop_token_ids", request.stop_token_ids, vocabulary);
  if (!request.sampling.rules)
    return;
  const token_rules &rules = *request.sampling.rules;
  for (const token_bias &b : rules.logit_bias)
    check_id("logit_bias", b.token, vocabulary);
  for (const auto &word : rules.bad_words_ids)
    check_ids("bad_words_ids", word, vocabulary);
  check_ids("allowed_token_ids", rules.allowed_token_ids, vocabulary);
  check_ids("suppress_tokens", rules.suppress_tokens, vocabulary);
  check_ids("begin_suppress_tokens", rules.begin_suppress_tokens, vocabulary);
  if (rules.forced_bos_token_id)
    check_id("forced_bos_token_id", *rules.forced_bos_token_id, vocabulary);
  check_ids("forced_eos_token_id", rules.forced_eos_token_id, vocabulary);
}

} // namespace ganglion::runtime

#include "actors/hf_generation_adapter.hpp"

#include "actors/row_runner.hpp"
#include "hlo/support/log.hpp"
#include "runtime/generation/attention_mask.hpp"

#include <algorithm>

namespace ganglion {

namespace {

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

template <class To, class From>
void take(To &to, const std::optional<From> &from) {
  if (from)
    to = *from;
}

void merge_rules(runtime::sampling_parameters &sampling,
                 const generate_options &options) {
  if (!options.bad_words_ids && !options.suppress_tokens &&
      !options.begin_suppress_tokens && !options.forced_bos_token_id &&
      !options.forced_eos_token_id)
    return;
  auto &rules = sampling.own_rules();
  take(rules.bad_words_ids, options.bad_words_ids);
  take(rules.suppress_tokens, options.suppress_tokens);
  take(rules.begin_suppress_tokens, options.begin_suppress_tokens);
  take(rules.forced_bos_token_id, options.forced_bos_token_id);
  take(rules.forced_eos_token_id, options.forced_eos_token_id);
}

void merge_sampling(runtime::sampling_parameters &sampling,
                    const generate_options &options) {
  take(sampling.do_sample, options.do_sample);
  take(sampling.temperature, options.temperature);
  take(sampling.top_k, options.top_k);
  take(sampling.top_p, options.top_p);
  take(sampling.min_p, options.min_p);
  take(sampling.typical_p, options.typical_p);
  take(sampling.epsilon_cutoff, options.epsilon_cutoff);
  take(sampling.eta_cutoff, options.eta_cutoff);
  take(sampling.repetition_penalty, options.repetition_penalty);
  take(sampling.no_repeat_ngram_size, options.no_repeat_ngram_size);
  take(sampling.min_new_tokens, options.min_new_tokens);
  merge_rules(sampling, options);
}

/// The directory's defaults with the caller's options over them.
generation_config merged(generation_config base,
                         const generate_options &options) {
  merge_sampling(base.sampling, options);
  take(base.eos_token_id, options.eos_token_id);
  take(base.pad_token_id, options.pad_token_id);
  take(base.num_return_sequences, options.num_return_sequences);
  take(base.num_beams, options.num_beams);
  take(base.length_penalty, options.length_penalty);
  take(base.early_stopping, options.early_stopping);
  take(base.min_length, options.min_length);
  take(base.max_length, options.max_length);
  // A length that the caller gives counts before one of the directory.
  if (options.max_length)
    base.max_new_tokens.reset();
  take(base.max_new_tokens, options.max_new_tokens);
  return base;
}

std::int64_t new_tokens(const generation_config &wanted, std::int64_t columns) {
  if (wanted.max_new_tokens) {
    if (*wanted.max_new_tokens < 1)
      refuse("max_new_tokens", std::to_string(*wanted.max_new_tokens) +
                                   " is out of range; accepted: 1 or more");
    return *wanted.max_new_tokens;
  }
  if (wanted.max_length <= columns)
    refuse("max_length", std::to_string(wanted.max_length) +
                             " leaves no room after the " +
                             std::to_string(columns) + " columns given");
  return wanted.max_length - columns;
}

void check(const generation_config &wanted) {
  if (!wanted.unsupported.empty()) {
    const auto &[name, value] = wanted.unsupported.front();
    throw error(error_code::unsupported, value + " is not done here",
                wanted.where, name);
  }
  if (wanted.num_return_sequences < 1)
    refuse("num_return_sequences", std::to_string(wanted.num_return_sequences) +
                                       " is out of range; accepted: 1 or more");
  if (wanted.num_beams < 1 || wanted.num_beams > 128)
    refuse("num_beams", std::to_string(wanted.num_beams) +
                            " is out of range; accepted: 1 to 128");
  if (wanted.num_beams > 1 && wanted.num_return_sequences > wanted.num_beams)
    refuse("num_return_sequences",
           std::to_string(wanted.num_return_sequences) +
               "; accepted: at most num_beams, which is " +
               std::to_string(wanted.num_beams));
  if (wanted.num_return_sequences > 1 && !wanted.sampling.do_sample &&
      wanted.num_beams == 1)
    refuse("num_return_sequences",
           std::to_string(wanted.num_return_sequences) +
               " without do_sample would be the same row every time; "
               "accepted: 1, or num_beams");
}

/// As HuggingFace does: options of sampling say nothing without it.
void warn_unused(const generate_options &options, bool do_sample) {
  if (!do_sample &&
      (options.temperature || options.top_k || options.top_p || options.min_p ||
       options.typical_p || options.epsilon_cutoff || options.eta_cutoff))
    log::warn("generate: temperature and filters have no effect without "
              "do_sample");
}

/// Without a draw, what shapes one says nothing, not even nonsense.
void reset_draws(runtime::sampling_parameters &p) {
  const runtime::sampling_parameters neutral;
  p.temperature = neutral.temperature;
  p.top_k = neutral.top_k;
  p.top_p = neutral.top_p;
  p.min_p = neutral.min_p;
  p.typical_p = neutral.typical_p;
  p.epsilon_cutoff = neutral.epsilon_cutoff;
  p.eta_cutoff = neutral.eta_cutoff;
}

generation_request request_of(const generation_config &wanted,
                              std::int64_t columns) {
  generation_request r;
  r.sampling = wanted.sampling;
  if (!wanted.sampling.do_sample)
    reset_draws(r.sampling);
  r.sampling.min_new_tokens =
      std::max(r.sampling.min_new_tokens, wanted.min_length - columns);
  r.ignore_eos = true; // the list below ends the row
  r.stop_token_ids = wanted.eos_token_id;
  if (wanted.num_beams > 1) {
    r.num_beams = static_cast<std::int32_t>(wanted.num_beams);
    r.n = static_cast<std::int32_t>(wanted.num_return_sequences);
    r.length_penalty = wanted.length_penalty;
    r.early_stopping = wanted.early_stopping;
  }
  return r;
}

std::int32_t fill_of(const generation_config &wanted) {
  if (wanted.pad_token_id)
    return *wanted.pad_token_id;
  return wanted.eos_token_id.empty() ? 0 : wanted.eos_token_id[0];
}

} // namespace

hf_generation_adapter::hf_generation_adapter(auto_model model)
    : model_(std::move(model)) {}

token_rows
hf_generation_adapter::generate(const token_rows &input_ids,
                                const token_rows &attention_mask,
                                const generate_options &options) const {
  const auto wanted = merged(model_.generation_defaults(), options);
  check(wanted);
  warn_unused(options, wanted.sampling.do_sample);
  const auto extents = runtime::row_extents(input_ids, attention_mask);
  const std::int64_t columns = runtime::columns_of(input_ids);
  runtime::require_left_padding(extents, columns);
  const std::int64_t length = new_tokens(wanted, columns);
  actors::check_batch(input_ids.size(), wanted.num_return_sequences,
                      model_.options().batch_size.most());
  const auto copies = static_cast<std::size_t>(wanted.num_return_sequences);
  // One request tells all beams that are wanted of a row.
  const std::size_t requests_each = wanted.num_beams > 1 ? 1 : copies;
  std::vector<generation_request> requests;
  for (std::size_t i = 0; i < input_ids.size() * requests_each; ++i) {
    const auto &row = input_ids[i / requests_each];
    auto r = request_of(wanted, columns);
    r.prompt_ids.assign(row.begin() + extents[i / requests_each].begin,
                        row.end());
    r.max_new_tokens = length;
    actors::check_room(r, i, model_.n_positions(),
                       wanted.max_new_tokens ? "max_new_tokens" : "max_length");
    if (options.seed)
      r.seed = *options.seed + i;
    requests.push_back(std::move(r));
  }
  auto rows = model_.run(std::move(requests), options.streamer);
  return actors::joined(input_ids, std::move(rows), copies, fill_of(wanted));
}

void hf_generation_adapter::reset_generation() { model_.reset(); }

} // namespace ganglion

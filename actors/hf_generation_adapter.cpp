#include "actors/hf_generation_adapter.hpp"

#include "actors/row_runner.hpp"
#include "hlo/support/log.hpp"
#include "runtime/generation/attention_mask.hpp"

namespace ganglion {

namespace {

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

/// The directory's defaults with the caller's options over them.
generation_config merged(generation_config base,
                         const generate_options &options) {
  const auto take = [](auto &to, const auto &from) {
    if (from)
      to = *from;
  };
  take(base.do_sample, options.do_sample);
  take(base.temperature, options.temperature);
  take(base.top_k, options.top_k);
  take(base.top_p, options.top_p);
  take(base.repetition_penalty, options.repetition_penalty);
  take(base.eos_token_id, options.eos_token_id);
  take(base.pad_token_id, options.pad_token_id);
  take(base.num_return_sequences, options.num_return_sequences);
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
  if (wanted.num_return_sequences > 1 && !wanted.do_sample)
    refuse("num_return_sequences",
           std::to_string(wanted.num_return_sequences) +
               " without do_sample would be the same row every time; "
               "accepted: 1");
}

/// As HuggingFace does: options of sampling say nothing without it.
void warn_unused(const generate_options &options, bool do_sample) {
  if (!do_sample && (options.temperature || options.top_k || options.top_p))
    log::warn("generate: temperature, top_k and top_p have no effect without "
              "do_sample");
}

generation_request request_of(const generation_config &wanted) {
  generation_request r;
  r.sampling.do_sample = wanted.do_sample;
  if (wanted.do_sample) {
    r.sampling.temperature = wanted.temperature;
    r.sampling.top_k = wanted.top_k;
    r.sampling.top_p = wanted.top_p;
  }
  r.sampling.repetition_penalty = wanted.repetition_penalty;
  r.ignore_eos = true; // the list below ends the row
  r.stop_token_ids = wanted.eos_token_id;
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
  warn_unused(options, wanted.do_sample);
  const auto extents = runtime::row_extents(input_ids, attention_mask);
  const std::int64_t columns = runtime::columns_of(input_ids);
  runtime::require_left_padding(extents, columns);
  const std::int64_t length = new_tokens(wanted, columns);
  actors::check_batch(input_ids.size(), wanted.num_return_sequences,
                      model_.options().batch_size.most());
  const auto copies = static_cast<std::size_t>(wanted.num_return_sequences);
  std::vector<generation_request> requests;
  for (std::size_t i = 0; i < input_ids.size() * copies; ++i) {
    const auto &row = input_ids[i / copies];
    auto r = request_of(wanted);
    r.prompt_ids.assign(row.begin() + extents[i / copies].begin, row.end());
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

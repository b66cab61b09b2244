#include "runtime/generation/generation_config.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/narrow.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

/// A number that changes what is generated unless it has this value.
struct neutral_number {
  const char *name;
  double value;
};

constexpr neutral_number neutral_numbers[] = {
    {"num_beam_groups", 1},
    {"penalty_alpha", 0},
    {"guidance_scale", 1},
};

/// Fields that change what is generated whenever they are given.
constexpr const char *absent_fields[] = {
    "force_words_ids",
    "exponential_decay_length_penalty",
    "sequence_bias",
    "stop_strings",
};

/// A number of tokens or texts.
std::int64_t count(const json::value &root, const char *field,
                   std::int64_t fallback) {
  const auto found = root.find(field);
  if (!found)
    return fallback;
  const auto out = json::int32_of(*found);
  if (out < 0)
    throw error(error_code::invalid_argument,
                std::to_string(out) + " is out of range; accepted: 0 or more",
                found->where(), found->path());
  return out;
}

void note_unsupported(const json::value &root, generation_config &out) {
  const auto note = [&](const char *name) {
    out.unsupported.emplace_back(name, root.at(name).dump());
  };
  for (const auto &[name, value] : neutral_numbers)
    if (root.get_double(name, value) != value)
      note(name);
  for (const char *name : absent_fields)
    if (root.find(name))
      note(name);
}

/// The lists of tokens, where there are any.
void read_rules(const json::value &root, sampling_parameters &out) {
  token_rules rules;
  if (const auto words = root.find("bad_words_ids"))
    for (const auto &word : words->items())
      for (auto &ids = rules.bad_words_ids.emplace_back();
           const auto &id : word.items())
        ids.push_back(json::int32_of(id));
  rules.suppress_tokens = json::token_ids(root, "suppress_tokens");
  rules.begin_suppress_tokens = json::token_ids(root, "begin_suppress_tokens");
  if (const auto bos = root.find("forced_bos_token_id"))
    rules.forced_bos_token_id = json::int32_of(*bos);
  rules.forced_eos_token_id = json::token_ids(root, "forced_eos_token_id");
  if (!rules.bad_words_ids.empty() || !rules.suppress_tokens.empty() ||
      !rules.begin_suppress_tokens.empty() || rules.forced_bos_token_id ||
      !rules.forced_eos_token_id.empty())
    out.own_rules() = std::move(rules);
}

void read_sampling(const json::value &root, sampling_parameters &out) {
  out.do_sample = root.get_bool("do_sample", out.do_sample);
  const auto read = [&](const char *name, float &to) {
    if (const auto found = root.find(name))
      to = json::float_of(*found);
  };
  read("temperature", out.temperature);
  read("top_p", out.top_p);
  read("min_p", out.min_p);
  read("typical_p", out.typical_p);
  read("epsilon_cutoff", out.epsilon_cutoff);
  read("eta_cutoff", out.eta_cutoff);
  read("repetition_penalty", out.repetition_penalty);
  if (const auto found = root.find("top_k"))
    out.top_k = json::int32_of(*found);
  if (const auto found = root.find("no_repeat_ngram_size"))
    out.no_repeat_ngram_size = json::int32_of(*found);
  out.min_new_tokens = count(root, "min_new_tokens", out.min_new_tokens);
  read_rules(root, out);
}

void read_fields(const json::value &root, generation_config &out) {
  read_sampling(root, out.sampling);
  out.min_length = count(root, "min_length", out.min_length);
  out.max_length = count(root, "max_length", out.max_length);
  if (root.find("max_new_tokens"))
    out.max_new_tokens = count(root, "max_new_tokens", 0);
  out.num_return_sequences =
      count(root, "num_return_sequences", out.num_return_sequences);
  out.num_beams = count(root, "num_beams", out.num_beams);
  if (const auto found = root.find("length_penalty"))
    out.length_penalty = json::float_of(*found);
  if (const auto found = root.find("early_stopping"))
    out.early_stopping = parse_early_stopping(*found);
  out.where = root.where();
  note_unsupported(root, out);
}

} // namespace

early_stopping parse_early_stopping(const json::value &v) {
  if (v.is_string() && v.as_string() == "never")
    return early_stopping::never;
  return v.as_bool() ? early_stopping::at_once : early_stopping::no;
}

generation_config parse_generation_config(const json::value *own,
                                          const json::value &model) {
  generation_config out;
  read_fields(own ? *own : model, out);
  for (const json::value *root : {own, &model}) {
    if (!root)
      continue;
    if (out.eos_token_id.empty())
      out.eos_token_id = json::token_ids(*root, "eos_token_id");
    if (const auto pad = json::token_ids(*root, "pad_token_id");
        !out.pad_token_id && !pad.empty())
      out.pad_token_id = pad[0];
  }
  return out;
}

generation_config read_generation_config(const std::string &directory) {
  const auto model = json::document::load(directory + "/config.json");
  const auto path = directory + "/generation_config.json";
  if (!std::filesystem::exists(path))
    return parse_generation_config(nullptr, model.root());
  const auto own = json::document::load(path);
  const auto root = own.root();
  return parse_generation_config(&root, model.root());
}

} // namespace ganglion::runtime

#include "runtime/generation/generation_config.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

/// A number that changes what is generated unless it has this value.
struct neutral_number {
  const char *name;
  double value;
};

constexpr neutral_number neutral_numbers[] = {
    {"num_beams", 1},
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

std::int32_t narrow(const json::value &v) {
  const auto wide = v.as_int();
  if (const auto out = static_cast<std::int32_t>(wide); out == wide)
    return out;
  throw error(error_code::invalid_argument,
              std::to_string(wide) + " is out of range; accepted: 32 bits",
              v.where(), v.path());
}

std::vector<std::int32_t> ids_of(const json::value &root, const char *field) {
  std::vector<std::int32_t> out;
  const auto found = root.find(field);
  if (!found)
    return out;
  if (!found->is_array())
    return {narrow(*found)};
  for (const auto &item : found->items())
    out.push_back(narrow(item));
  return out;
}

float number(const json::value &root, const char *field, float fallback) {
  return static_cast<float>(root.get_double(field, fallback));
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
        ids.push_back(narrow(id));
  rules.suppress_tokens = ids_of(root, "suppress_tokens");
  rules.begin_suppress_tokens = ids_of(root, "begin_suppress_tokens");
  if (const auto bos = root.find("forced_bos_token_id"))
    rules.forced_bos_token_id = narrow(*bos);
  rules.forced_eos_token_id = ids_of(root, "forced_eos_token_id");
  if (!rules.bad_words_ids.empty() || !rules.suppress_tokens.empty() ||
      !rules.begin_suppress_tokens.empty() || rules.forced_bos_token_id ||
      !rules.forced_eos_token_id.empty())
    out.own_rules() = std::move(rules);
}

void read_sampling(const json::value &root, sampling_parameters &out) {
  out.do_sample = root.get_bool("do_sample", out.do_sample);
  const auto read = [&](const char *name, float &to) {
    to = number(root, name, to);
  };
  read("temperature", out.temperature);
  read("top_p", out.top_p);
  read("min_p", out.min_p);
  read("typical_p", out.typical_p);
  read("epsilon_cutoff", out.epsilon_cutoff);
  read("eta_cutoff", out.eta_cutoff);
  read("repetition_penalty", out.repetition_penalty);
  if (const auto found = root.find("top_k"))
    out.top_k = narrow(*found);
  if (const auto found = root.find("no_repeat_ngram_size"))
    out.no_repeat_ngram_size = narrow(*found);
  out.min_new_tokens = root.get_int("min_new_tokens", out.min_new_tokens);
  read_rules(root, out);
}

void read_fields(const json::value &root, generation_config &out) {
  read_sampling(root, out.sampling);
  out.min_length = root.get_int("min_length", out.min_length);
  out.max_length = root.get_int("max_length", out.max_length);
  if (const auto found = root.find("max_new_tokens"))
    out.max_new_tokens = found->as_int();
  out.num_return_sequences =
      root.get_int("num_return_sequences", out.num_return_sequences);
  out.where = root.where();
  note_unsupported(root, out);
}

} // namespace

generation_config read_generation_config(const std::string &directory) {
  generation_config out;
  const auto read_ids = [&](const json::value &root) {
    if (out.eos_token_id.empty())
      out.eos_token_id = ids_of(root, "eos_token_id");
    if (const auto pad = ids_of(root, "pad_token_id");
        !out.pad_token_id && !pad.empty())
      out.pad_token_id = pad[0];
  };
  const auto model = json::document::load(directory + "/config.json");
  const auto path = directory + "/generation_config.json";
  if (std::filesystem::exists(path)) {
    const auto own = json::document::load(path);
    read_fields(own.root(), out);
    read_ids(own.root());
  } else {
    read_fields(model.root(), out);
  }
  read_ids(model.root());
  return out;
}

} // namespace ganglion::runtime

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
    {"num_beams", 1},      {"num_beam_groups", 1},
    {"min_length", 0},     {"min_new_tokens", 0},
    {"typical_p", 1},      {"min_p", 0},
    {"epsilon_cutoff", 0}, {"eta_cutoff", 0},
    {"penalty_alpha", 0},  {"no_repeat_ngram_size", 0},
    {"guidance_scale", 1},
};

/// Fields that change what is generated whenever they are given.
constexpr const char *absent_fields[] = {
    "bad_words_ids",
    "force_words_ids",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "suppress_tokens",
    "begin_suppress_tokens",
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

void read_fields(const json::value &root, generation_config &out) {
  out.do_sample = root.get_bool("do_sample", out.do_sample);
  out.max_length = root.get_int("max_length", out.max_length);
  if (const auto found = root.find("max_new_tokens"))
    out.max_new_tokens = found->as_int();
  out.temperature = number(root, "temperature", out.temperature);
  if (const auto found = root.find("top_k"))
    out.top_k = narrow(*found);
  out.top_p = number(root, "top_p", out.top_p);
  out.repetition_penalty =
      number(root, "repetition_penalty", out.repetition_penalty);
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

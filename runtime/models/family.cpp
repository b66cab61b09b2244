#include "runtime/models/family.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

extern const family bloom_family;
extern const family gpt2_family;
extern const family gpt_bigcode_family;
extern const family gpt_neox_family;
extern const family gptj_family;
extern const family llama_family;
extern const family mistral_family;
extern const family mixtral_family;
extern const family opt_family;
extern const family qwen2_family;
extern const family qwen3_family;

namespace {

const family *const families[] = {
    &bloom_family, &gpt2_family,  &gpt_bigcode_family, &gpt_neox_family,
    &gptj_family,  &llama_family, &mistral_family,     &mixtral_family,
    &opt_family,   &qwen2_family, &qwen3_family};

} // namespace

const family &family_of(const json::value &config) {
  const std::string type = config.at("model_type").as_string();
  std::string known;
  for (const family *f : families) {
    if (f->model_type == type)
      return *f;
    known += (known.empty() ? "" : ", ") + f->model_type;
  }
  throw error(error_code::unsupported,
              "unknown model family '" + type + "'; supported: " + known,
              config.where(), "model_type");
}

} // namespace ganglion::runtime

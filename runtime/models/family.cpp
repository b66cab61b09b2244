#include "runtime/models/family.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

extern const family gpt2_family;
extern const family llama_family;

namespace {

const family *const families[] = {&gpt2_family, &llama_family};

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

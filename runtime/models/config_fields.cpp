#include "runtime/models/config_fields.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

void refuse(const json::value &config, const std::string &field,
            const std::string &found, const std::string &accepted) {
  throw error(error_code::unsupported,
              found + " is not supported; accepted: " + accepted,
              config.where(), field);
}

std::int64_t positive(const json::value &config, const std::string &field,
                      std::int64_t limit) {
  const auto found = config.at(field);
  const std::int64_t v = found.as_int();
  if (v < 1 || v > limit)
    throw error(error_code::invalid_argument,
                std::to_string(v) + " is out of range; accepted: 1 to " +
                    std::to_string(limit),
                config.where(), found.path());
  return v;
}

std::int64_t positive_or(const json::value &config, const std::string &field,
                         std::int64_t fallback, std::int64_t limit) {
  return config.find(field) ? positive(config, field, limit) : fallback;
}

std::int64_t times_factor(std::int64_t positions, double factor) {
  return static_cast<std::int64_t>(
      std::min(double(positions) * factor, double(most::positions)));
}

double epsilon_field(const json::value &config, const std::string &field,
                     double fallback) {
  const double v = config.get_double(field, fallback);
  if (!(v >= 0 && v <= 1))
    throw error(error_code::invalid_argument,
                config.at(field).dump() + " is out of range; accepted: 0 to 1",
                config.where(), field);
  return v;
}

void expect_bool(const json::value &config, const std::string &field,
                 bool accepted) {
  const bool found = config.get_bool(field, accepted);
  if (found != accepted)
    refuse(config, field, found ? "true" : "false",
           accepted ? "true" : "false");
}

hlo::activation activation_field(const json::value &config,
                                 const std::string &field,
                                 const std::string &fallback) {
  struct named {
    const char *name;
    hlo::activation f;
  };
  static constexpr named known[] = {
      {"silu", hlo::activation::silu},
      {"swish", hlo::activation::silu},
      {"gelu", hlo::activation::gelu_erf},
      {"gelu_new", hlo::activation::gelu_tanh},
      {"gelu_pytorch_tanh", hlo::activation::gelu_tanh},
      {"relu", hlo::activation::relu},
  };
  const std::string name = config.get_string(field, fallback);
  std::string accepted;
  for (const named &k : known) {
    if (name == k.name)
      return k.f;
    accepted += (accepted.empty() ? "" : ", ") + std::string(k.name);
  }
  refuse(config, field, "'" + name + "'", accepted);
}

hlo::element_type stored_type(const json::value &config) {
  const char *field = config.find("torch_dtype") ? "torch_dtype" : "dtype";
  const std::string name = config.get_string(field, "float32");
  if (name == "float32")
    return hlo::element_type::f32;
  if (name == "bfloat16")
    return hlo::element_type::bf16;
  if (name == "float16")
    return hlo::element_type::f16;
  refuse(config, field, "'" + name + "'", "float32, bfloat16, float16");
}

std::int64_t divided_heads(const json::value &config,
                           const hlo::decoder_spec &spec,
                           const std::string &field) {
  if (spec.hidden % spec.heads != 0)
    throw error(error_code::invalid_argument,
                std::to_string(spec.heads) +
                    " heads do not divide the hidden size " +
                    std::to_string(spec.hidden),
                config.where(), field);
  return spec.hidden / spec.heads;
}

void check_heads(const hlo::decoder_spec &spec, const json::value &config) {
  if (spec.head_dim < 1 || spec.head_dim > most::head_dim)
    refuse(config, "head_dim", std::to_string(spec.head_dim),
           "1 to " + std::to_string(most::head_dim));
  if (spec.heads % spec.kv_heads != 0)
    throw error(error_code::invalid_argument,
                std::to_string(spec.kv_heads) + " KV heads do not divide " +
                    std::to_string(spec.heads) + " attention heads",
                config.where(), "num_key_value_heads");
}

} // namespace ganglion::runtime

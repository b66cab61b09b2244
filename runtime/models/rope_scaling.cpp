#include "runtime/models/rope_scaling.hpp"

#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

float positive_real(const json::value &object, const std::string &field) {
  const double v = object.at(field).as_double();
  if (!(v > 0) || !std::isfinite(v))
    throw error(error_code::invalid_argument, "must be a positive number",
                object.where(), object.path() + "." + field);
  return static_cast<float>(v);
}

/// Llama 3.1: long wavelengths are stretched by `factor`, short ones kept, and
/// those between are interpolated. In f32, as HuggingFace computes it.
void scale_llama3(std::vector<float> &frequencies, const json::value &s) {
  const float factor = positive_real(s, "factor");
  const float low = positive_real(s, "low_freq_factor");
  const float high = positive_real(s, "high_freq_factor");
  const float old = positive_real(s, "original_max_position_embeddings");
  for (float &f : frequencies) {
    const float wavelength = 2.0f * static_cast<float>(M_PI) / f;
    if (wavelength < old / high)
      continue;
    if (wavelength > old / low) {
      f /= factor;
      continue;
    }
    const float smooth = (old / wavelength - low) / (high - low);
    f = (1.0f - smooth) * f / factor + smooth * f;
  }
}

double positive_real_or(const json::value &object, const std::string &field,
                        double fallback) {
  return object.find(field) ? double(positive_real(object, field)) : fallback;
}

/// The context before stretching; HuggingFace's default is the present one.
double original_length(const json::value &config) {
  const auto scaling = config.at("rope_scaling");
  const char *field = "original_max_position_embeddings";
  return scaling.find(field)
             ? double(positive(scaling, field))
             : double(positive(config, "max_position_embeddings"));
}

/// What cosines and sines are multiplied with: 0.1 m ln(factor) + 1.
double yarn_scale(const json::value &s, double factor) {
  if (s.find("attention_factor"))
    return double(positive_real(s, "attention_factor"));
  const auto with = [&](double m) {
    return factor <= 1 ? 1.0 : 0.1 * m * std::log(factor) + 1.0;
  };
  const double m = s.get_double("mscale", 0);
  const double all = s.get_double("mscale_all_dim", 0);
  return m != 0 && all != 0 ? with(m) / with(all) : with(1.0);
}

/// YaRN (Peng et al. 2023): pairs that turn more than beta_fast times within
/// the original context are kept, those that turn less than beta_slow times
/// are stretched by `factor`, and those between are mixed along a ramp.
void scale_yarn(hlo::rotary_spec &rotary, const json::value &s, double theta,
                double original) {
  expect_bool(s, "truncate", true);
  const float factor = positive_real(s, "factor");
  const auto half = static_cast<double>(rotary.frequencies.size());
  const auto pair_of = [&](double turns) {
    return half * std::log(original / (turns * 2 * M_PI)) / std::log(theta);
  };
  const double low = std::max(
      std::floor(pair_of(positive_real_or(s, "beta_fast", 32.0))), 0.0);
  double high = std::min(
      std::ceil(pair_of(positive_real_or(s, "beta_slow", 1.0))), 2 * half - 1);
  if (high == low)
    high += 0.001; // HuggingFace's guard
  for (std::size_t i = 0; i < rotary.frequencies.size(); ++i) {
    float &f = rotary.frequencies[i];
    const auto ramp = static_cast<float>(
        std::clamp((double(i) - low) / (high - low), 0.0, 1.0));
    f = f / factor * ramp + f * (1.0f - ramp);
  }
  rotary.scale = yarn_scale(s, double(factor));
}

} // namespace

hlo::rotary_spec rotary_of(const json::value &config, std::int64_t width,
                           const std::string &theta_field) {
  hlo::rotary_spec rotary;
  const auto theta =
      static_cast<float>(config.get_double(theta_field, 10000.0));
  if (!(theta > 0))
    throw error(error_code::invalid_argument, "must be a positive number",
                config.where(), theta_field);
  for (std::int64_t i = 0; i < width / 2; ++i)
    rotary.frequencies.push_back(
        1.0f /
        std::pow(theta, static_cast<float>(2 * i) / static_cast<float>(width)));
  const auto scaling = config.find("rope_scaling");
  if (!scaling)
    return rotary;
  // Older configs call the field "type".
  const std::string kind =
      scaling->get_string("rope_type", scaling->get_string("type", "default"));
  if (kind == "linear") {
    const float factor = positive_real(*scaling, "factor");
    for (float &f : rotary.frequencies)
      f /= factor;
  } else if (kind == "dynamic") {
    if (width <= 2)
      refuse(config, "rope_scaling.rope_type", "'dynamic'",
             "'linear' for heads of two dimensions");
    rotary.dynamic = {double(theta), positive_real(*scaling, "factor"),
                      double(positive(config, "max_position_embeddings")),
                      width / 2};
  } else if (kind == "llama3") {
    scale_llama3(rotary.frequencies, *scaling);
  } else if (kind == "yarn") {
    scale_yarn(rotary, *scaling, double(theta), original_length(config));
  } else if (kind != "default") {
    refuse(config, "rope_scaling.rope_type", "'" + kind + "'",
           "default, linear, dynamic, llama3, yarn");
  }
  return rotary;
}

} // namespace ganglion::runtime

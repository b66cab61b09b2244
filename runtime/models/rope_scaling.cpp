#include "runtime/models/rope_scaling.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/narrow.hpp"
#include "runtime/models/config_fields.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

constexpr const char *kinds = "default, linear, dynamic, llama3, yarn";

[[noreturn]] void refuse_number(const json::value &number) {
  throw error(error_code::invalid_argument,
              number.dump() + " is out of range; accepted: a positive number "
                              "that an f32 can hold",
              number.where(), number.path());
}

float positive_real(const json::value &object, const std::string &field) {
  const auto number = object.at(field);
  const float v = json::float_of(number);
  if (!(v > 0))
    refuse_number(number);
  return v;
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
  const auto scaling = *rope_settings(config);
  const char *field = "original_max_position_embeddings";
  return scaling.find(field)
             ? double(positive(scaling, field, most::positions))
             : double(positive(config, "max_position_embeddings",
                               most::positions));
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

/// The base of the frequencies, which newer configs keep beside the scaling.
float theta_of(const json::value &config, const std::string &field) {
  constexpr float usual = 10000.0f;
  if (config.find(field))
    return positive_real(config, field);
  const auto settings = config.find("rope_parameters");
  return settings && settings->find("rope_theta")
             ? positive_real(*settings, "rope_theta")
             : usual;
}

void scale(hlo::rotary_spec &rotary, const json::value &config,
           const json::value &settings, float theta) {
  const std::string kind = rope_kind(settings);
  if (kind == "linear") {
    const float factor = positive_real(settings, "factor");
    for (float &f : rotary.frequencies)
      f /= factor;
  } else if (kind == "dynamic") {
    if (rotary.frequencies.size() <= 1)
      refuse(config, settings.path() + ".rope_type", "'dynamic'",
             "'linear' for heads of two dimensions");
    rotary.dynamic = {
        double(theta), positive_real(settings, "factor"),
        double(positive(config, "max_position_embeddings", most::positions)),
        static_cast<std::int64_t>(rotary.frequencies.size())};
  } else if (kind == "llama3") {
    scale_llama3(rotary.frequencies, settings);
  } else if (kind == "yarn") {
    scale_yarn(rotary, settings, double(theta), original_length(config));
  } else if (kind != "default") {
    refuse(config, settings.path() + ".rope_type", "'" + kind + "'", kinds);
  }
}

/// Each of the numbers may be in range, and what follows from them not.
void check_numbers(const hlo::rotary_spec &rotary, const json::value &from,
                   const std::string &field) {
  const bool finite = std::ranges::all_of(
      rotary.frequencies, [](float f) { return std::isfinite(f); });
  if (!finite || !std::isfinite(rotary.scale) || rotary.scale <= 0)
    throw error(error_code::invalid_argument,
                "gives frequencies that are no numbers", from.where(), field);
}

} // namespace

std::optional<json::value> rope_settings(const json::value &config) {
  auto out = config.find("rope_scaling");
  return out ? out : config.find("rope_parameters");
}

std::string rope_kind(const json::value &settings) {
  for (const char *field : {"rope_type", "type"}) // the latter in older ones
    if (const auto found = settings.find(field))
      return found->as_string();
  if (settings.find("rope_theta"))
    return "default";
  refuse(settings, settings.path() + ".rope_type", "leaving it out", kinds);
}

hlo::rotary_spec rotary_of(const json::value &config, std::int64_t width,
                           const std::string &theta_field) {
  hlo::rotary_spec rotary;
  const float theta = theta_of(config, theta_field);
  for (std::int64_t i = 0; i < width / 2; ++i)
    rotary.frequencies.push_back(
        1.0f /
        std::pow(theta, static_cast<float>(2 * i) / static_cast<float>(width)));
  check_numbers(rotary, config, theta_field);
  if (const auto settings = rope_settings(config)) {
    scale(rotary, config, *settings, theta);
    check_numbers(rotary, *settings, settings->path());
  }
  return rotary;
}

} // namespace ganglion::runtime

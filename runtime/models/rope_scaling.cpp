#include "runtime/models/rope_scaling.hpp"

#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"

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
  } else if (kind == "llama3") {
    scale_llama3(rotary.frequencies, *scaling);
  } else if (kind != "default") {
    refuse(config, "rope_scaling.rope_type", "'" + kind + "'",
           "default, linear, llama3");
  }
  return rotary;
}

} // namespace ganglion::runtime

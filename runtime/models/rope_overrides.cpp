#include "runtime/models/rope_overrides.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/models/config_fields.hpp"
#include "runtime/models/rope_scaling.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

void check_family(const json::document &config, const family &f,
                  const rope_overrides &overrides) {
  const auto spec = f.spec_of(config.root());
  if (spec.position == hlo::position_kind::rotary && !f.theta_field.empty())
    return;
  throw error(error_code::unsupported,
              "the rotary positions of a " + f.model_type +
                  " model cannot be changed: it has none, or fixed ones",
              config.root().where(),
              overrides.theta ? "rope_theta" : "rope_scaling");
}

} // namespace

json::document overridden(const json::document &config, const family &f,
                          const rope_overrides &overrides) {
  check_family(config, f, overrides);
  json::writer out;
  out.begin_object();
  for (const auto &[name, value] : config.root().members()) {
    const bool replaced =
        (overrides.theta && name == f.theta_field) ||
        (!overrides.scaling.empty() && name == "rope_scaling");
    if (!replaced)
      out.key(name).raw(value.dump());
  }
  if (overrides.theta)
    out.key(f.theta_field).real(*overrides.theta);
  if (!overrides.scaling.empty()) {
    const auto scaling =
        json::document::parse(overrides.scaling, "rope_scaling");
    if (!scaling.root().is_object())
      throw error(error_code::invalid_argument,
                  "must be a JSON object such as {\"rope_type\": \"linear\", "
                  "\"factor\": 2.0}",
                  config.root().where(), "rope_scaling");
    out.key("rope_scaling").raw(scaling.root().dump());
  }
  out.end_object();
  return json::document::parse(out.text(), config.root().where());
}

std::int64_t stretched_positions(const json::value &config,
                                 std::int64_t n_positions) {
  const auto settings = rope_settings(config);
  if (!settings)
    return n_positions;
  const std::string kind = rope_kind(*settings);
  if (kind == "dynamic")
    return 0;
  if (kind != "linear" && kind != "yarn")
    return n_positions;
  const auto original =
      positive_or(*settings, "original_max_position_embeddings", n_positions,
                  most::positions);
  return std::max(n_positions,
                  times_factor(original, settings->get_double("factor", 1.0)));
}

} // namespace ganglion::runtime

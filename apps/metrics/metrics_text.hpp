// Everything that is counted and timed, in Prometheus' text form.
#pragma once

#include "actors/engine.hpp"
#include "apps/metrics/server_metrics.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ganglion::apps {

inline constexpr std::string_view metrics_text_type =
    "text/plain; version=0.0.4; charset=utf-8";

/// What there is to tell of.
struct metric_sources {
  const engine_status &status;
  const engine_metrics &engine;
  const server_metrics &server;
  std::string model; ///< label of what concerns the engine
  time_point now;
};

std::string metrics_text(const metric_sources &from);

/// A metric as the documentation lists it.
struct metric_name {
  std::string_view name, type, help;
};
std::vector<metric_name> metric_names();

} // namespace ganglion::apps

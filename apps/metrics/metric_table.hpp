// The table of metrics: name, kind, help, and where the values come from.
#pragma once

#include "apps/metrics/metrics_text.hpp"

#include <span>

#include <prometheus/metric_family.h>

namespace ganglion::apps {

/// Collects the values of one metric.
class family_writer {
public:
  family_writer(prometheus::MetricFamily &family, const std::string &model)
      : family_(family),
        model_(model) {}

  /// With one more label, if it has a name.
  void value(double v, std::string_view label = {}, std::string_view word = {});
  void spread(const histogram_reading &h, std::string_view label = {},
              std::string_view word = {});

private:
  prometheus::ClientMetric &add(std::string_view label, std::string_view word);

  prometheus::MetricFamily &family_;
  const std::string &model_;
};

struct metric_row {
  std::string_view name; ///< without "ganglion_"
  prometheus::MetricType type;
  std::string_view help;
  void (*write)(const metric_sources &from, family_writer &out);
};

std::span<const metric_row> metric_table();

} // namespace ganglion::apps

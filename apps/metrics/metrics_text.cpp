#include "apps/metrics/metrics_text.hpp"

#include "apps/metrics/metric_table.hpp"

#include <sstream>

#include <prometheus/text_serializer.h>

namespace ganglion::apps {

std::string metrics_text(const metric_sources &from) {
  std::vector<prometheus::MetricFamily> families;
  for (const auto &row : metric_table()) {
    auto &family = families.emplace_back();
    family.name = "ganglion_" + std::string(row.name);
    family.help = row.help;
    family.type = row.type;
    family_writer out(family, from.model);
    row.write(from, out);
  }
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return text.str();
}

std::vector<metric_name> metric_names() {
  std::vector<metric_name> out;
  for (const auto &row : metric_table()) {
    const bool counts = row.type == prometheus::MetricType::Counter;
    const bool spreads = row.type == prometheus::MetricType::Histogram;
    out.push_back({row.name,
                   counts    ? "counter"
                   : spreads ? "histogram"
                             : "gauge",
                   row.help});
  }
  return out;
}

} // namespace ganglion::apps

#include "apps/metrics/metric_table.hpp"

namespace ganglion::apps {

prometheus::ClientMetric &family_writer::add(std::string_view label,
                                             std::string_view word) {
  auto &metric = family_.metric.emplace_back();
  metric.label.push_back({"model_name", model_});
  if (!label.empty())
    metric.label.push_back({std::string(label), std::string(word)});
  return metric;
}

void family_writer::value(double v, std::string_view label,
                          std::string_view word) {
  auto &metric = add(label, word);
  if (family_.type == prometheus::MetricType::Counter)
    metric.counter.value = v;
  else
    metric.gauge.value = v;
}

void family_writer::spread(const histogram_reading &h, std::string_view label,
                           std::string_view word) {
  auto &out = add(label, word).histogram;
  for (std::size_t i = 0; i < h.bounds.size(); ++i) {
    out.sample_count += h.counts[i];
    out.bucket.push_back({out.sample_count, h.bounds[i]});
  }
  out.sample_count += h.counts.back();
  out.sample_sum = h.sum;
}

} // namespace ganglion::apps

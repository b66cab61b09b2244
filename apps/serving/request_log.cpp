#include "apps/serving/request_log.hpp"

#include "apps/serving/timing_text.hpp"
#include "hlo/support/log.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace ganglion::apps {

namespace {

constexpr std::string_view quiet[] = {
    "/ping",    "/health",         "/health/live", "/health/ready",
    "/metrics", "/server/metrics", "/status"};

/// "2026-01-31T12:00:00.123Z"
std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32], out[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const auto rest =
      std::chrono::duration_cast<std::chrono::milliseconds>(now - seconds);
  std::snprintf(out, sizeof out, "%s.%03dZ", text,
                static_cast<int>(rest.count()));
  return out;
}

} // namespace

std::string request_line(const http_record &record, const std::string &model,
                         const std::string &time) {
  json::writer out;
  out.begin_object();
  out.key("time").string(time);
  out.key("id").string(record.id);
  out.key("method").string(record.method);
  out.key("route").string(record.path);
  out.key("model").string(model);
  out.key("status").integer(record.status);
  out.key("complete").boolean(record.complete);
  out.key("took_ms").real(milliseconds(record.took));
  out.end_object();
  auto text = out.text();
  if (!record.notes.empty())
    text.insert(text.size() - 1, ", " + record.notes);
  return text;
}

void log_request(const http_record &record, const std::string &model) {
  const bool probe = std::ranges::find(quiet, record.path) != std::end(quiet);
  if (!probe || record.status >= 400)
    log::line(request_line(record, model, now_text()));
}

} // namespace ganglion::apps

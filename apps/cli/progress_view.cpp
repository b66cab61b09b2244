#include "apps/cli/progress_view.hpp"

#include "hlo/support/log.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace ganglion::apps {

namespace {

// Work that takes less is not worth a line.
constexpr std::chrono::seconds first_line{1}, between_lines{5};
constexpr int bar_width = 30;

} // namespace

void progress_view::report(const load_report &report) {
  const std::lock_guard lock(mutex_);
  if (finished_)
    return;
  if (report.phase != phase_) {
    phase_ = report.phase;
    percent_ = -1;
    next_line_ = time_.now() + first_line;
  }
  if (is_terminal_)
    rewrite(report);
  else
    log_now_and_then(report);
}

void progress_view::rewrite(const load_report &report) {
  const int percent = static_cast<int>(std::lround(report.fraction * 100));
  if (percent == percent_)
    return;
  percent_ = percent;
  const int full = std::clamp(percent * bar_width / 100, 0, bar_width);
  out_ << "\r\033[K" << report.phase << " ["
       << std::string(static_cast<std::size_t>(full), '#')
       << std::string(static_cast<std::size_t>(bar_width - full), '.') << "] "
       << percent << "%" << std::flush;
  shown_ = true;
}

void progress_view::log_now_and_then(const load_report &report) {
  const auto now = time_.now();
  if (now < next_line_)
    return;
  next_line_ = now + between_lines;
  log::info("{}: {:.0f} %", report.phase, report.fraction * 100);
}

void progress_view::finish() {
  const std::lock_guard lock(mutex_);
  if (shown_)
    out_ << "\r\033[K" << std::flush;
  shown_ = false;
  finished_ = true;
}

load_observer observer_of(progress_view &view) {
  return [&view](const load_report &report) { view.report(report); };
}

} // namespace ganglion::apps

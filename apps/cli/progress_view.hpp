// Shows how far long work is: one line rewritten on a terminal, log lines now
// and then elsewhere.
#pragma once

#include "actors/engine.hpp"
#include "hlo/support/clock.hpp"

#include <iosfwd>
#include <mutex>
#include <string>

namespace ganglion::apps {

/// Any thread may report.
class progress_view {
public:
  /// `out` is the terminal; elsewhere the log is used.
  progress_view(std::ostream &out, bool is_terminal, const clock &time)
      : out_(out),
        is_terminal_(is_terminal),
        time_(time) {}
  ~progress_view() { finish(); }

  void report(const load_report &report);
  /// Clears the line. Nothing is shown afterwards.
  void finish();

private:
  void rewrite(const load_report &report);
  void log_now_and_then(const load_report &report);

  std::ostream &out_;
  const bool is_terminal_;
  const clock &time_;
  std::mutex mutex_;
  std::string phase_;
  int percent_ = -1;
  time_point next_line_{};
  bool shown_ = false, finished_ = false;
};

/// An observer that reports to `view`, which must outlive it.
load_observer observer_of(progress_view &view);

} // namespace ganglion::apps

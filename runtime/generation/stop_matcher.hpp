// Stop strings over token boundaries: passes text on as early as possible and
// holds back only what may still become a stop string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// One text being written. Not for two threads at once.
class stop_matcher {
public:
  /// `include`: a stop string stays in the text.
  explicit stop_matcher(std::vector<std::string> stops, bool include = false)
      : stops_(std::move(stops)),
        include_(include) {}

  /// Adds text and returns the part that is certainly no stop string. Once a
  /// stop string is complete, returns what came before it, and itself if it
  /// is included, and nothing more.
  std::string push(std::string_view text);
  /// Ends the text: returns what was held back.
  std::string finish();
  bool matched() const { return matched_; }

private:
  std::vector<std::string> stops_;
  bool include_;
  std::string held_;
  bool matched_ = false;
};

} // namespace ganglion::runtime

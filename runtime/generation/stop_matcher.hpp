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
  explicit stop_matcher(std::vector<std::string> stops)
      : stops_(std::move(stops)) {}

  /// Adds text and returns the part that is certainly no stop string. Once a
  /// stop string is complete, returns what came before it and nothing more.
  std::string push(std::string_view text);
  /// Ends the text: returns what was held back.
  std::string finish();
  bool matched() const { return matched_; }

private:
  std::vector<std::string> stops_;
  std::string held_;
  bool matched_ = false;
};

} // namespace ganglion::runtime

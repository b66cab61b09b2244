// Reads one call of a tool while it is written: an object with the tool's name
// and the arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ganglion::runtime {

class call_reader {
public:
  /// `arguments`: the member that they are.
  explicit call_reader(std::string_view arguments) : member_(arguments) {}

  /// Takes the next character; the first is "{". False once the object has
  /// ended with it.
  bool push(char c);

  /// Once it is known; empty if it is no string.
  const std::optional<std::string> &name() const { return name_; }
  /// The arguments' JSON that came since the last time; all of it at the end.
  /// Arguments in a string are what the string holds.
  std::string take_arguments();
  bool has_arguments() const { return begin_ != nowhere; }
  /// Everything that was read.
  const std::string &text() const { return text_; }

private:
  void begin_value(std::size_t at);
  void end_value(std::size_t at);
  void end_string();

  static constexpr auto nowhere = std::string::npos;
  std::string member_, text_, key_;
  int depth_ = 0;
  bool in_string_ = false, escaped_ = false, at_value_ = false;
  std::size_t string_ = 0, value_ = nowhere;
  std::size_t begin_ = nowhere, end_ = nowhere; ///< of the arguments
  std::size_t taken_ = 0;
  std::optional<std::string> name_;
};

} // namespace ganglion::runtime

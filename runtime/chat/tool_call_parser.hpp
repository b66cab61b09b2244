// Finds the calls of tools in a text while it is written.
#pragma once

#include "runtime/chat/call_reader.hpp"
#include "runtime/chat/tool_syntax.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// More of a call.
struct tool_call_piece {
  std::size_t index = 0; ///< of the call in its text
  std::string name;      ///< with the first piece of a call, else empty
  std::string arguments; ///< JSON text to be added
};

struct parsed_text {
  std::string content;
  std::vector<tool_call_piece> calls;
};

/// One text. What looks like a call but is none, or of a tool that does not
/// exist, is content. White space around calls is left out.
class tool_call_parser {
public:
  tool_call_parser(tool_syntax syntax, std::vector<std::string> names)
      : syntax_(syntax),
        names_(std::move(names)) {}

  /// Adds text and returns what became certain with it.
  parsed_text push(std::string_view text);
  /// Ends the text and returns the rest.
  parsed_text finish();
  /// Calls so far.
  std::size_t calls() const { return calls_; }

private:
  enum class place : std::uint8_t { content, before_call, call, after_call };

  void take(char c);
  void take_content(char c);
  void take_before(char c);
  void take_call(char c);
  void take_after(char c);
  void add_content(std::string_view text);
  void begin_call(char c);
  void look_at_call(bool ended);
  std::size_t hold(std::string_view mark) const;

  tool_syntax syntax_;
  std::vector<std::string> names_;
  place at_ = place::content;
  std::string held_;   ///< may become a mark
  std::string spaces_; ///< content if more content follows
  bool started_ = false;
  std::optional<call_reader> call_;
  bool announced_ = false; ///< the client knows of `call_`
  std::size_t calls_ = 0;
  parsed_text out_;
};

} // namespace ganglion::runtime

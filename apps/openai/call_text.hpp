// The calls of tools in a choice, as a client hears of them.
#pragma once

#include "apps/openai/tool_fields.hpp"
#include "runtime/chat/tool_call_parser.hpp"
#include "runtime/generation/generation_event.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ganglion::apps {

/// Some or all of a call.
struct call_piece {
  std::size_t index = 0; ///< of the choice's calls
  std::string id, name;  ///< with its first piece
  std::string arguments; ///< JSON text to be added
};

/// One choice's text, cut into content and calls.
class call_text {
public:
  /// `id` is the answer's and `sequence` the choice's: what calls are named
  /// by.
  call_text(const offered_tools &tools,
            std::shared_ptr<const runtime::tokenizer> tokens, std::string id,
            std::size_t sequence);

  /// Adds what a token brings.
  void add(const runtime::generated_token &token, std::string &content,
           std::vector<call_piece> &calls);
  /// Adds the last of the text.
  void end(std::string_view text, std::string &content,
           std::vector<call_piece> &calls);
  bool has_calls() const { return parser_.calls() > 0; }

private:
  std::string visible(const runtime::generated_token &token) const;
  void put(runtime::parsed_text parsed, std::string &content,
           std::vector<call_piece> &calls) const;

  std::shared_ptr<const runtime::tokenizer> tokens_;
  std::string_view mark_;
  bool hides_special_tokens_;
  std::string id_;
  runtime::tool_call_parser parser_;
};

/// "tool_calls" of a message, or of a chunk's delta.
void write_calls(json::writer &out, const std::vector<call_piece> &calls,
                 bool in_delta);

} // namespace ganglion::apps

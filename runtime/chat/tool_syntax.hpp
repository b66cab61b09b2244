// How a model writes calls of tools, as its chat template tells.
#pragma once

#include <cstdint>
#include <string_view>

namespace ganglion::runtime {

enum class tool_syntax : std::uint8_t {
  none,
  /// Hermes, Qwen: <tool_call>{"name": ..., "arguments": {...}}</tool_call>
  tagged,
  /// Llama 3: {"name": ..., "parameters": {...}} and nothing else
  bare,
  /// Mistral: [TOOL_CALLS] [{"name": ..., "arguments": {...}}]
  listed,
};

/// What the words of a template say; `none` for one that does not speak of
/// tools, or in no way that is known.
tool_syntax tool_syntax_of(std::string_view template_source);

/// What comes before the calls; empty for those that have no mark.
std::string_view mark_of(tool_syntax syntax);
/// The member that the arguments are.
std::string_view arguments_name_of(tool_syntax syntax);

inline constexpr std::string_view tagged_end = "</tool_call>";

} // namespace ganglion::runtime

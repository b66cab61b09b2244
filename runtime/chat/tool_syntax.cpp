#include "runtime/chat/tool_syntax.hpp"

namespace ganglion::runtime {

tool_syntax tool_syntax_of(std::string_view source) {
  const auto has = [&](std::string_view words) {
    return source.find(words) != std::string_view::npos;
  };
  if (!has("tools"))
    return tool_syntax::none;
  for (const auto marked : {tool_syntax::tagged, tool_syntax::listed})
    if (has(mark_of(marked)))
      return marked;
  // Llama's templates ask for {"name": function name, "parameters": ...}.
  if (has("\"parameters\": ") && has("\"name\": "))
    return tool_syntax::bare;
  return tool_syntax::none;
}

std::string_view mark_of(tool_syntax syntax) {
  return syntax == tool_syntax::tagged   ? "<tool_call>"
         : syntax == tool_syntax::listed ? "[TOOL_CALLS]"
                                         : "";
}

std::string_view arguments_name_of(tool_syntax syntax) {
  return syntax == tool_syntax::bare ? "parameters" : "arguments";
}

} // namespace ganglion::runtime

#include "apps/openai/message_field.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "hlo/support/error.hpp"
#include "runtime/chat/from_json.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

using json::value;
using chat_value = runtime::chat::value;
using entries = std::vector<chat_value::entry>;

constexpr std::string_view roles[] = {"system", "developer", "user",
                                      "assistant", "tool"};

std::string read_role(const value &message) {
  const auto v = message.at("role");
  auto role = v.as_string();
  if (std::ranges::find(roles, role) == std::end(roles))
    throw error(error_code::invalid_argument,
                v.dump() + " is no role; accepted: system, developer, user, "
                           "assistant, tool",
                v.where(), v.path());
  return role;
}

/// The text of a part; pictures and sounds are refused.
std::string read_part(const value &part) {
  const auto type = part.at("type");
  if (type.as_string_view() != "text")
    throw error(error_code::unsupported,
                type.dump() + " is not supported; accepted: \"text\"",
                type.where(), type.path());
  for (const auto &[name, v] : part.members())
    if (name != "type" && name != "text")
      refuse_unknown(v);
  return part.at("text").as_string();
}

std::string read_content(const value &v) {
  if (!v.is_array())
    return v.as_string();
  std::string text;
  for (const auto &part : v.items())
    text += (text.empty() ? "" : "\n") + read_part(part);
  return text;
}

chat_value read_arguments(const value &v) {
  if (!v.is_string())
    return runtime::chat::from_json(v);
  const auto document = json::document::parse(v.as_string_view(), v.path());
  return runtime::chat::from_json(document.root());
}

chat_value read_function(const value &function) {
  function.at("name").as_string_view();
  entries out;
  for (const auto &[name, v] : function.members())
    out.emplace_back(name, name == "arguments" ? read_arguments(v)
                                               : runtime::chat::from_json(v));
  return chat_value::dict(std::move(out));
}

chat_value read_tool_calls(const value &calls) {
  std::vector<chat_value> out;
  for (const auto &call : calls.items()) {
    entries members;
    call.at("function");
    for (const auto &[name, v] : call.members())
      members.emplace_back(name, name == "function"
                                     ? read_function(v)
                                     : runtime::chat::from_json(v));
    out.push_back(chat_value::dict(std::move(members)));
  }
  return chat_value::list(std::move(out));
}

chat_value read_message(const value &message) {
  const auto role = read_role(message);
  entries out{{"role", role == "developer" ? "system" : role}};
  bool has_content = false, has_calls = false;
  for (const auto &[name, v] : message.members()) {
    if (name == "role" || v.is_null())
      continue;
    if (name == "content")
      out.emplace_back(name, read_content(v)), has_content = true;
    else if (name == "name" || name == "tool_call_id" ||
             name == "reasoning_content")
      out.emplace_back(name, v.as_string());
    else if (name == "tool_calls" && role == "assistant")
      out.emplace_back(name, read_tool_calls(v)), has_calls = true;
    // Of an earlier answer that a client sends back.
    else if (name == "refusal" || name == "audio" || name == "function_call")
      refuse_unsupported(v);
    else if (name != "annotations" || v.size() > 0)
      refuse_unknown(v);
  }
  if (!has_content && !has_calls)
    message.at("content"); // throws
  if (!has_content)
    out.emplace_back("content", chat_value());
  return chat_value::dict(std::move(out));
}

} // namespace

chat_value read_messages(const value &v) {
  std::vector<chat_value> out;
  for (const auto &message : v.items())
    out.push_back(read_message(message));
  if (out.empty())
    throw error(error_code::invalid_argument,
                "an empty list; accepted: one message or more", v.where(),
                v.path());
  return chat_value::list(std::move(out));
}

} // namespace ganglion::apps

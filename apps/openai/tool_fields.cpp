#include "apps/openai/tool_fields.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "hlo/support/error.hpp"
#include "runtime/chat/from_json.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

using json::value;

constexpr std::size_t most_tools = 128;
constexpr std::size_t longest_name = 64;

[[noreturn]] void refuse(const value &v, const std::string &message) {
  throw error(error_code::invalid_argument, message, v.where(), v.path());
}

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, "request", field);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

std::string read_name(const value &function) {
  const auto name = function.at("name");
  if (!is_name(name.as_string_view()))
    refuse_value(name, "1 to 64 letters, digits, \"_\" and \"-\"");
  return name.as_string();
}

void check_type(const value &tool) {
  const auto type = tool.at("type");
  if (type.as_string_view() != "function")
    refuse_value(type, "\"function\"");
}

runtime::output_tool read_function(const value &function) {
  runtime::output_tool out{read_name(function), {}};
  for (const auto &[name, v] : function.members()) {
    if (name == "name" || v.is_null())
      continue;
    if (name == "parameters" && v.is_object())
      out.parameters = v.size() == 0 ? "" : v.dump();
    else if (name == "parameters")
      refuse(v, "expected a JSON schema");
    else if (name == "description")
      v.as_string_view();
    else if (name == "strict") // schemas are followed in any case
      v.as_bool();
    else
      refuse_unknown(v);
  }
  return out;
}

runtime::output_tool read_tool(const value &tool) {
  check_type(tool);
  for (const auto &[name, v] : tool.members())
    if (name != "type" && name != "function")
      refuse_unknown(v);
  return read_function(tool.at("function"));
}

bool has(const offered_tools &tools, const std::string &name) {
  return std::ranges::any_of(tools.tools,
                             [&](const auto &t) { return t.name == name; });
}

} // namespace

void set_tools(offered_tools &to, const value &v) {
  for (const auto &item : v.items()) {
    auto tool = read_tool(item);
    if (has(to, tool.name))
      refuse(item, "a second tool '" + tool.name + "'");
    to.tools.push_back(std::move(tool));
  }
  if (to.tools.size() > most_tools)
    refuse(v, std::to_string(to.tools.size()) + " tools; accepted: at most " +
                  std::to_string(most_tools));
  to.for_template = runtime::chat::from_json(v);
}

void set_tool_choice(offered_tools &to, const value &v) {
  if (!v.is_string()) {
    check_type(v);
    to.choice = tool_choice::named;
    to.named = read_name(v.at("function"));
    return;
  }
  const auto word = v.as_string_view();
  if (word == "auto")
    to.choice = tool_choice::automatic;
  else if (word == "none")
    to.choice = tool_choice::none;
  else if (word == "required")
    to.choice = tool_choice::required;
  else
    refuse_value(v, "\"none\", \"auto\", \"required\" or a function's name in "
                    "an object");
}

void check_tools(const offered_tools &tools,
                 const runtime::generation_request &request) {
  const bool must_call = tools.choice == tool_choice::required ||
                         tools.choice == tool_choice::named;
  if (must_call && tools.tools.empty())
    refuse("tool_choice", "accepted with 'tools' only");
  if (tools.choice == tool_choice::named && !has(tools, tools.named))
    refuse("tool_choice", "there is no tool '" + tools.named + "'");
  if (tools.active() && request.structured_outputs)
    refuse("tools", "accepted without a form of the output "
                    "(response_format, structured_outputs), or with "
                    "tool_choice \"none\"");
}

void use_tools(offered_tools &tools, runtime::tool_syntax syntax,
               runtime::generation_request &request) {
  if (!tools.active())
    return;
  if (syntax == runtime::tool_syntax::none)
    throw error(error_code::unsupported,
                "the model's chat template offers no tools in a way that is "
                "supported; leave it out",
                "request", "tools");
  tools.syntax = syntax;
  tools.hides_special_tokens = request.skip_special_tokens;
  request.skip_special_tokens = false;
  if (tools.choice == tool_choice::automatic)
    return;
  runtime::output_form form{runtime::output_kind::tool_calls};
  for (const auto &tool : tools.tools)
    if (tools.choice == tool_choice::required || tool.name == tools.named)
      form.tools.push_back(tool);
  form.syntax = syntax;
  form.several = tools.several && tools.choice == tool_choice::required;
  request.structured_outputs = std::move(form);
}

} // namespace ganglion::apps

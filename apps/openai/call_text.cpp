#include "apps/openai/call_text.hpp"

#include <utility>

namespace ganglion::apps {

namespace {

std::vector<std::string> names_of(const offered_tools &tools) {
  std::vector<std::string> out;
  for (const auto &tool : tools.tools)
    out.push_back(tool.name);
  return out;
}

/// Nine letters and digits: what every template takes (Mistral's take no
/// other). The same for the same place.
std::string call_id(const std::string &place) {
  constexpr std::string_view digits =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
  for (const char c : place)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  std::string out;
  for (int i = 0; i < 9; ++i, hash /= digits.size())
    out += digits[hash % digits.size()];
  return out;
}

} // namespace

call_text::call_text(const offered_tools &tools,
                     std::shared_ptr<const runtime::tokenizer> tokens,
                     std::string id, std::size_t sequence)
    : tokens_(std::move(tokens)),
      mark_(runtime::mark_of(tools.syntax)),
      hides_special_tokens_(tools.hides_special_tokens),
      id_(std::move(id) + "/" + std::to_string(sequence)),
      parser_(tools.syntax, names_of(tools)) {}

/// Without the name of a special token, unless it is the mark of a call.
std::string call_text::visible(const runtime::generated_token &token) const {
  auto text = token.text;
  if (!token.special || !hides_special_tokens_ || !tokens_)
    return text;
  const auto name = tokens_->text_of(token.id);
  if (name != mark_ && text.ends_with(name))
    text.erase(text.size() - name.size());
  return text;
}

void call_text::add(const runtime::generated_token &token, std::string &content,
                    std::vector<call_piece> &calls) {
  put(parser_.push(visible(token)), content, calls);
}

void call_text::end(std::string_view text, std::string &content,
                    std::vector<call_piece> &calls) {
  put(parser_.push(text), content, calls);
  put(parser_.finish(), content, calls);
}

/// A piece goes on with the last one where both are of the same call.
void call_text::put(runtime::parsed_text parsed, std::string &content,
                    std::vector<call_piece> &calls) const {
  content += parsed.content;
  for (auto &piece : parsed.calls) {
    if (piece.name.empty() && !calls.empty() &&
        calls.back().index == piece.index) {
      calls.back().arguments += piece.arguments;
      continue;
    }
    auto id = piece.name.empty()
                  ? std::string()
                  : call_id(id_ + "/" + std::to_string(piece.index));
    calls.push_back({piece.index, std::move(id), std::move(piece.name),
                     std::move(piece.arguments)});
  }
}

void write_calls(json::writer &out, const std::vector<call_piece> &calls,
                 bool in_delta) {
  out.key("tool_calls").begin_array();
  for (const auto &call : calls) {
    out.begin_object();
    if (in_delta)
      out.key("index").integer(static_cast<std::int64_t>(call.index));
    if (!call.name.empty()) {
      out.key("id").string(call.id);
      out.key("type").string("function");
    }
    out.key("function").begin_object();
    if (!call.name.empty())
      out.key("name").string(call.name);
    out.key("arguments").string(call.arguments);
    out.end_object().end_object();
  }
  out.end_array();
}

} // namespace ganglion::apps

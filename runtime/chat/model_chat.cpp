#include "runtime/chat/model_chat.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/file.hpp"
#include "runtime/tokenizer/tokenizer_config.hpp"
#include "runtime/tokenizer/wide_integers.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

namespace fs = std::filesystem;

/// Where a template is from and what it says.
struct template_source {
  std::string where, text;
};
using sources = std::map<std::string, template_source, std::less<>>;

// The member `chat_template` of a JSON file: text, or a list of named texts.
void read_member(const std::string &path, sources &out) {
  if (!fs::exists(path))
    return;
  const auto document =
      json::document::parse(wide_integers_as_reals(read_file(path)), path);
  const auto member = document.root().find("chat_template");
  if (!member)
    return;
  if (member->is_string()) {
    out.emplace("default", template_source{path, member->as_string()});
    return;
  }
  for (const auto &item : member->items())
    out.emplace(item.at("name").as_string(),
                template_source{path, item.at("template").as_string()});
}

void read_text(const fs::path &path, const std::string &name, sources &out) {
  if (fs::is_regular_file(path))
    out.emplace(name, template_source{path.string(), read_file(path.string())});
}

sources sources_of(const fs::path &directory) {
  sources out;
  read_text(directory / "chat_template.jinja", "default", out);
  const auto more = directory / "additional_chat_templates";
  if (fs::is_directory(more))
    for (const auto &entry : fs::directory_iterator(more))
      if (entry.path().extension() == ".jinja")
        read_text(entry.path(), entry.path().stem().string(), out);
  read_member((directory / "chat_template.json").string(), out);
  read_member((directory / "tokenizer_config.json").string(), out);
  return out;
}

// A file of the same two forms as those in a model's directory.
sources sources_at(const std::string &path) {
  sources out;
  if (fs::path(path).extension() == ".json")
    read_member(path, out);
  else
    out.emplace("default", template_source{path, read_file(path)});
  if (out.empty())
    throw error(error_code::not_found,
                "holds no chat template; accepted: a Jinja file, or JSON with "
                "the member chat_template",
                path, "chat_template");
  return out;
}

} // namespace

model_chat model_chat::read(const std::string &directory,
                            const std::string &path) {
  model_chat out;
  out.missing_ = directory + " has no chat template; give one with "
                             "chat_template";
  const auto named = read_tokenizer_config(directory).named;
  out.special_tokens_.insert(named.begin(), named.end());
  for (const auto &[name, source] :
       path.empty() ? sources_of(directory) : sources_at(path)) {
    named_template made;
    try {
      made.parsed = chat_template::parse(source.text);
      made.tools = tool_syntax_of(source.text);
    } catch (const chat::chat_error &e) {
      made.refusal = source.where + ": " + e.describe();
    }
    out.templates_.emplace(name, std::move(made));
  }
  return out;
}

const model_chat::named_template *model_chat::find(bool with_tools) const {
  auto found = with_tools ? templates_.find("tool_use") : templates_.end();
  if (found == templates_.end())
    found = templates_.find("default");
  return found == templates_.end() ? nullptr : &found->second;
}

std::string model_chat::refusal() const {
  const auto *found = find(false);
  return found ? found->refusal : missing_;
}

tool_syntax model_chat::tools() const {
  const auto *found = find(true);
  return found ? found->tools : tool_syntax::none;
}

std::string model_chat::prompt(const chat::value &messages,
                               chat_options options) const {
  const auto *found = find(!options.tools.is_none());
  if (!found || !found->parsed)
    throw error(error_code::unsupported, found ? found->refusal : missing_,
                "chat", "chat_template");
  const auto token = [this](const char *name, auto &place) {
    if (const auto known = special_tokens_.find(name);
        !place && known != special_tokens_.end())
      place = known->second;
  };
  token("bos_token", options.bos_token);
  token("eos_token", options.eos_token);
  std::vector<std::pair<std::string, chat::value>> extra;
  for (const auto &[name, text] : special_tokens_)
    if (name != "bos_token" && name != "eos_token")
      extra.emplace_back(name, text);
  extra.insert(extra.end(), options.extra.begin(), options.extra.end());
  options.extra = std::move(extra);
  return found->parsed->render(messages, options);
}

} // namespace ganglion::runtime

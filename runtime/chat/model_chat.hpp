// The chat templates that come with a model, and the special tokens they
// refer to.
#pragma once

#include "runtime/chat/chat_template.hpp"
#include "runtime/chat/tool_syntax.hpp"

#include <map>

namespace ganglion::runtime {

/// Immutable and safe to use from several threads at once.
class model_chat {
public:
  /// Reads the templates of `directory`: `chat_template.jinja`, the files
  /// `additional_chat_templates/NAME.jinja`, `chat_template.json` or the
  /// member `chat_template` of `tokenizer_config.json`, in this order; a
  /// non-empty `path` is read instead of all of them. A template that does
  /// not parse is kept as a refusal. Throws when a file cannot be read or has
  /// the wrong form.
  static model_chat read(const std::string &directory,
                         const std::string &path = {});

  /// Whether `prompt` can work for conversations without tools; `refusal` says
  /// why not, naming the file, the line and the construct, and is empty
  /// otherwise.
  bool available() const { return refusal().empty(); }
  std::string refusal() const;

  /// How the model calls tools; `none` where its template cannot offer any.
  tool_syntax tools() const;

  /// Renders with the template "tool_use" when there are tools and the model
  /// has one of this name, or else "default". Special tokens that `options`
  /// does not set are the model's. Throws `unsupported` with the refusal when
  /// there is no template, and what `chat_template::render` throws.
  std::string prompt(const chat::value &messages, chat_options options) const;

private:
  struct named_template {
    std::optional<chat_template> parsed;
    std::string refusal; ///< why there is no `parsed`
    tool_syntax tools = tool_syntax::none;
  };

  const named_template *find(bool with_tools) const;

  std::map<std::string, named_template, std::less<>> templates_;
  std::map<std::string, std::string, std::less<>> special_tokens_;
  std::string missing_; ///< what to say when there is no template
};

} // namespace ganglion::runtime

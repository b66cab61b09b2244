// A model's chat template: Jinja source, parsed once, that turns a
// conversation into the text of a prompt.
#pragma once

#include "runtime/chat/chat_error.hpp"
#include "runtime/chat/limits.hpp"
#include "runtime/chat/value.hpp"

#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime {

namespace chat {
struct syntax_tree;
}

/// What a template sees beside the messages.
struct chat_options {
  /// Whether the prompt ends with the opening of an answer.
  bool add_generation_prompt = true;
  /// Undefined in the template when absent, as for HuggingFace.
  std::optional<std::string> bos_token, eos_token;
  /// None unless given; both are always defined.
  chat::value tools, documents;
  /// More variables; each wins over everything above.
  std::vector<std::pair<std::string, chat::value>> extra;
  /// What `strftime_now` shows; the local time when not set.
  std::function<std::tm()> clock;
  chat::limits limits;
};

/// Immutable and safe to render from several threads at once.
class chat_template {
public:
  /// Parses `source` the way HuggingFace does (trim_blocks, lstrip_blocks,
  /// loop controls, generation blocks). Throws `chat_error` naming the line
  /// and the construct that is wrong, unknown or not offered.
  static chat_template parse(std::string_view source);

  /// The prompt for `messages`, a list of dictionaries with "role" and
  /// "content" (see chat::from_json). Throws `chat_error`: with the template's
  /// own words when it refuses the conversation (`failure::raised`).
  std::string render(const chat::value &messages,
                     const chat_options &options) const;

private:
  explicit chat_template(std::shared_ptr<const chat::syntax_tree> tree)
      : tree_(std::move(tree)) {}

  std::shared_ptr<const chat::syntax_tree> tree_;
};

} // namespace ganglion::runtime

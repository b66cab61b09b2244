#include "runtime/chat/chat_template.hpp"

#include "runtime/chat/interpreter.hpp"
#include "runtime/chat/parser.hpp"

namespace ganglion::runtime {

chat_template chat_template::parse(std::string_view source) {
  return chat_template(
      std::make_shared<const chat::syntax_tree>(chat::parse_template(source)));
}

std::string chat_template::render(const chat::value &messages,
                                  const chat_options &options) const {
  chat::rendering run(options.limits, options.clock);
  chat::interpreter walker(run);
  auto &given = run.own<chat::scope>(nullptr);
  given.set("messages", messages);
  given.set("tools", options.tools);
  given.set("documents", options.documents);
  given.set("add_generation_prompt", options.add_generation_prompt);
  if (options.bos_token)
    given.set("bos_token", *options.bos_token);
  if (options.eos_token)
    given.set("eos_token", *options.eos_token);
  for (const auto &[name, item] : options.extra)
    given.set(name, item);
  std::string out;
  walker.execute(tree_->body, run.own<chat::scope>(&given), out);
  return out;
}

} // namespace ganglion::runtime

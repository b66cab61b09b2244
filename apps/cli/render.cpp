// ganglion render: conversations in, the prompts that a chat template makes of
// them out, one a line.
#include "apps/cli/line_reader.hpp"
#include "apps/cli/tokenizer_options.hpp"
#include "apps/error_table.hpp"
#include "runtime/chat/from_json.hpp"
#include "runtime/chat/model_chat.hpp"
#include "runtime/json/writer.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

int render(const runtime::parsed_command &arguments, command_context &context) {
  const auto chat = runtime::model_chat::read(
      model_directory(arguments), arguments.own.string("chat_template"));
  runtime::chat_options options;
  options.add_generation_prompt = !arguments.own.boolean("no_answer");
  json_line_reader reader(context.in);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    for (const auto &line : lines) {
      const auto messages = line.value.root();
      messages.items(); // a list, or an error that names the line
      json::writer out;
      out.string(chat.prompt(runtime::chat::from_json(messages), options));
      context.out << out.text() << "\n";
    }
    context.out.flush();
  }
  return exit_ok;
}

} // namespace

command render_command() {
  return {
      {.name = "render",
       .summary = "Reads lists of chat messages, one a line; prints prompts as "
                  "JSON strings",
       .positional = {},
       .max_positionals = 0,
       .takes_engine_options = false,
       .options = {{.name = "model_id",
                    .help = "directory of the model in HuggingFace format",
                    .aliases = {"model"}},
                   {.name = "chat_template",
                    .help = "Jinja file, or JSON with chat_template, in place "
                            "of the model's own"},
                   {.name = "no_answer",
                    .kind = runtime::option_kind::boolean,
                    .help = "leave out the opening of an answer"}}},
      render};
}

} // namespace ganglion::apps

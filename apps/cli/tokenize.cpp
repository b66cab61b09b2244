// ganglion tokenize: JSON strings in, lists of ids out, one a line.
#include "apps/cli/line_reader.hpp"
#include "apps/cli/tokenizer_options.hpp"
#include "apps/error_table.hpp"
#include "runtime/json/writer.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

std::string list_text(const std::vector<std::int32_t> &ids) {
  json::writer out;
  out.begin_array();
  for (const auto id : ids)
    out.integer(id);
  out.end_array();
  return out.text();
}

int tokenize(const runtime::parsed_command &arguments,
             command_context &context) {
  const auto tokenizer = load_tokenizer(arguments);
  const bool special = !arguments.own.boolean("no_special");
  json_line_reader reader(context.in);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    std::vector<std::string> texts;
    for (const auto &line : lines)
      texts.push_back(line.value.root().as_string());
    for (const auto &ids : tokenizer->encode_batch(texts, special))
      context.out << list_text(ids) << "\n";
    context.out.flush();
  }
  return exit_ok;
}

} // namespace

command tokenize_command() {
  return {{.name = "tokenize",
           .summary = "Reads JSON strings, one a line; prints lists of ids",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = false,
           .options = tokenizer_options("leave out the tokens that the model "
                                        "wants around a text")},
          tokenize};
}

} // namespace ganglion::apps

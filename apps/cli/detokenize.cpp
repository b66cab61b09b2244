// ganglion detokenize: lists of ids in, JSON strings out, one a line.
#include "apps/cli/line_reader.hpp"
#include "apps/cli/token_ids.hpp"
#include "apps/cli/tokenizer_options.hpp"
#include "apps/error_table.hpp"
#include "runtime/json/writer.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

int detokenize(const runtime::parsed_command &arguments,
               command_context &context) {
  const auto tokenizer = load_tokenizer(arguments);
  const bool skip = arguments.own.boolean("no_special");
  json_line_reader reader(context.in);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    for (const auto &line : lines)
      context.out << json::quote(
                         tokenizer->decode(token_ids(line.value.root()), skip))
                  << "\n";
    context.out.flush();
  }
  return exit_ok;
}

} // namespace

command detokenize_command() {
  return {{.name = "detokenize",
           .summary = "Reads lists of ids, one a line; prints JSON strings",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = false,
           .options = tokenizer_options("leave special tokens out of the "
                                        "text")},
          detokenize};
}

} // namespace ganglion::apps

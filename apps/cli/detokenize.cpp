// ganglion detokenize: lists of ids in, JSON strings out, one a line.
#include "apps/cli/line_reader.hpp"
#include "apps/cli/tokenizer_options.hpp"
#include "apps/error_table.hpp"
#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <limits>
#include <ostream>

namespace ganglion::apps {

namespace {

std::vector<std::int32_t> ids_of(const json::value &list) {
  std::vector<std::int32_t> out;
  for (const auto &item : list.items()) {
    const auto id = item.as_int();
    if (id < 0 || id > std::numeric_limits<std::int32_t>::max())
      throw error(error_code::invalid_argument,
                  std::to_string(id) + " is no token id", item.where(),
                  item.path());
    out.push_back(static_cast<std::int32_t>(id));
  }
  return out;
}

int detokenize(const runtime::parsed_command &arguments,
               command_context &context) {
  const auto tokenizer = load_tokenizer(arguments);
  const bool skip = arguments.own.boolean("no_special");
  json_line_reader reader(context.in);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    for (const auto &line : lines)
      context.out << json::quote(
                         tokenizer->decode(ids_of(line.value.root()), skip))
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

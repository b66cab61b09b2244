#include "apps/cli/tokenizer_options.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::apps {

runtime::option_table tokenizer_options(std::string_view no_special) {
  return {{.name = "model_id",
           .help = "directory of the model in HuggingFace format",
           .aliases = {"model"}},
          {.name = "no_special",
           .kind = runtime::option_kind::boolean,
           .help = no_special}};
}

const std::string &model_directory(const runtime::parsed_command &arguments) {
  const auto &directory = arguments.own.string("model_id");
  if (directory.empty())
    throw error(error_code::invalid_argument, "no model given: --model DIR",
                "command line", "--model");
  return directory;
}

std::shared_ptr<const runtime::tokenizer>
load_tokenizer(const runtime::parsed_command &arguments) {
  return runtime::tokenizer::load(model_directory(arguments));
}

} // namespace ganglion::apps

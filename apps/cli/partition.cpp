// ganglion partition: splits and compiles a model ahead of time, so that a
// start from the result compiles nothing.
#include "runtime/shard/partition.hpp"

#include "apps/cli/engine_setup.hpp"
#include "apps/error_table.hpp"
#include "hlo/support/error.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

runtime::partition_schema schema_named(const std::string &name) {
  return name == "compile_only" ? runtime::partition_schema::compile_only
         : name == "optimum"    ? runtime::partition_schema::optimum
                                : runtime::partition_schema::safetensors;
}

int partition(const runtime::parsed_command &arguments,
              command_context &context) {
  const auto loaded = load_command_config(arguments, context);
  const auto &to = loaded.values.string("save_mp_checkpoint_path");
  if (to.empty())
    throw error(error_code::invalid_argument, "names no directory to write to",
                "command line", "--save-mp-checkpoint-path");
  const auto &schema = loaded.values.string("partition_schema");
  runtime::write_partition(loaded, schema_named(schema), to);
  context.out << "wrote " << to << " (" << schema << "); start it with: "
              << (schema == "compile_only"
                      ? "ganglion serve --model " +
                            loaded.config.model.model_id +
                            " --compiled-graph-path " + to + "/compiled"
                      : "ganglion serve --model " + to)
              << "\n";
  return exit_ok;
}

} // namespace

command partition_command() {
  return {{.name = "partition",
           .summary = "Splits and compiles a model ahead of time",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = true,
           .options = {}},
          partition};
}

} // namespace ganglion::apps

// ganglion compile: the step graphs of a model, compiled and described; with
// --dump-hlo they are written as HLO text and protos, and their programs.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/model_spec.hpp"
#include "apps/cli/open_module.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/error_table.hpp"
#include "hlo/passes/inline_composites.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/compiler.hpp"
#include "neuron/core.hpp"
#include "runtime/shard/model_plan.hpp"

#include <filesystem>
#include <fstream>
#include <ostream>

namespace ganglion::apps {

namespace {

void make_directory(const std::string &path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure)
    throw error(error_code::unavailable,
                "cannot make directory: " + failure.message(), path,
                "--dump-hlo");
}

void write_file(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    throw error(error_code::unavailable, "cannot write file", path,
                "--dump-hlo");
}

/// What is written of each graph, and where.
struct dump_options {
  std::string directory; ///< empty: nothing
  bool optimised = false, inlined = false;
};

dump_options dump_of(const runtime::parsed_command &arguments) {
  const dump_options out{arguments.own.string("dump_hlo"),
                         arguments.own.boolean("optimised"),
                         arguments.own.boolean("inline")};
  if (out.directory.empty() && (out.optimised || out.inlined))
    throw error(error_code::invalid_argument,
                "says how graphs are written: --dump-hlo says where",
                "command line", out.optimised ? "--optimised" : "--inline");
  return out;
}

/// Writes one graph in both forms; returns its key.
std::string dump_graph(const hlo::module &graph,
                       const neuron::compile_options &compiling,
                       const dump_options &dump, const std::string &stem) {
  const auto m =
      dump.optimised ? neuron::optimise(graph, compiling) : hlo::clone(graph);
  if (dump.inlined) {
    hlo::inline_composites(*m);
    m->remove_unused_computations();
  }
  const auto proto = hlo::serialise(*m);
  write_file(stem + ".hlo", hlo::print(*m));
  write_file(stem + ".hlo.pb", proto);
  return key_of(proto);
}

/// Compiles the bucket of `rows` token rows; returns its line of the summary.
std::string compile_bucket(const hlo::decoder_spec &spec,
                           const hlo::graph_options &options,
                           const dump_options &dump) {
  const auto graph = hlo::build_step_graph(spec, options);
  const neuron::compile_options compiling{neuron::selected_isa()};
  const auto program = neuron::compile(*graph.graph, compiling);
  std::string key;
  if (!dump.directory.empty()) {
    const auto stem = dump.directory + "/step_" + std::to_string(options.rows);
    key = ", key " + dump_graph(*graph.graph, compiling, dump, stem);
    write_file(stem + ".program", program->print());
  }
  std::size_t collectives = 0;
  for (const auto &call : program->calls)
    collectives += call.collective;
  return "bucket of " + std::to_string(options.rows) + " token rows, " +
         std::to_string(options.logit_rows) +
         " logit rows: " + std::to_string(program->calls.size()) +
         " kernel calls (" + std::to_string(collectives) +
         " collectives), arena " +
         neuron::human_bytes(program->memory_bytes(1)) + ", constants " +
         neuron::human_bytes(program->constants.size()) + key + "\n";
}

int compile(const runtime::parsed_command &arguments,
            command_context &context) {
  const auto config = load_command_config(arguments, context).config;
  const auto dump = dump_of(arguments);
  const auto spec = read_spec(config.model.model_id);
  const auto plan = runtime::plan_model(spec, config);
  if (!dump.directory.empty())
    make_directory(dump.directory);
  context.out << spec.family << " " << to_string(plan.type)
              << ", tensor_parallel_degree " << plan.tp_degree() << ", "
              << to_string(neuron::selected_isa()) << "\n";
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  const auto buckets = plan.buckets();
  double done = 0;
  for (const auto rows : buckets) {
    const auto line = compile_bucket(spec, plan.graph(rows), dump);
    view.report({"compile", ++done / static_cast<double>(buckets.size())});
    context.out << line << std::flush;
  }
  return exit_ok;
}

} // namespace

command compile_command() {
  return {{.name = "compile",
           .summary = "Compiles the step graphs of a model and describes them",
           .positional = {},
           .max_positionals = 0,
           .takes_engine_options = true,
           .options = {{.name = "dump_hlo",
                        .help = "directory for each graph's HLO text, "
                                "HloModuleProto and program"},
                       {.name = "optimised",
                        .kind = runtime::option_kind::boolean,
                        .help = "write graphs as the host's passes leave them"},
                       {.name = "inline",
                        .kind = runtime::option_kind::boolean,
                        .help = "write composites as the plain operations of "
                                "their bodies"}}},
          compile};
}

} // namespace ganglion::apps

// ganglion compile: the step graphs of a model, compiled and described; with
// --dump-hlo they are written as HLO text and protos, and their programs.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/open_module.hpp"
#include "apps/cli/progress_view.hpp"
#include "apps/error_table.hpp"
#include "hlo/passes/inline_composites.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/compiler.hpp"
#include "neuron/core.hpp"
#include "runtime/shard/loaded_model.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
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

std::string milliseconds(std::chrono::duration<double, std::milli> time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", time.count());
  return text;
}

/// What the programs of a bucket come to.
struct bucket_total {
  std::size_t calls = 0, collectives = 0, memory = 0, constants = 0;
  std::chrono::duration<double, std::milli> time{0};
  std::string keys; ///< of the graphs that were written
};

const char *suffix(hlo::step_part part) {
  using enum hlo::step_part;
  return part == inputs    ? ".inputs"
         : part == layers  ? ".layers"
         : part == outputs ? ".outputs"
                           : "";
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

void compile_part(const hlo::decoder_spec &spec,
                  const runtime::model_plan &plan, std::int64_t rows,
                  hlo::step_part part, const dump_options &dump,
                  bucket_total &total) {
  const auto graph = hlo::build_step_graph(spec, plan.graph(rows), part);
  const steady_clock time;
  const auto begin = time.now();
  const auto compiling = plan.compile(neuron::selected_isa());
  const auto program = neuron::compile(*graph.graph, compiling);
  total.time += time.now() - begin;
  total.calls += program->calls.size();
  for (const auto &call : program->calls)
    total.collectives += call.collective;
  total.memory = std::max(total.memory, program->memory_bytes(1));
  total.constants += program->constants.size();
  if (dump.directory.empty())
    return;
  const auto stem =
      dump.directory + "/step_" + std::to_string(rows) + suffix(part);
  total.keys += ", key " + dump_graph(*graph.graph, compiling, dump, stem);
  write_file(stem + ".program", program->print());
}

/// Compiles the bucket of `rows` token rows; returns its line of the summary.
std::string compile_bucket(const hlo::decoder_spec &spec,
                           const runtime::model_plan &plan, std::int64_t rows,
                           const dump_options &dump) {
  bucket_total total;
  for (const auto part : plan.parts())
    compile_part(spec, plan, rows, part, dump, total);
  return "bucket of " + std::to_string(rows) + " token rows, " +
         std::to_string(plan.graph(rows).logit_rows) +
         " logit rows: " + std::to_string(total.calls) + " kernel calls (" +
         std::to_string(total.collectives) + " collectives), arena " +
         neuron::human_bytes(total.memory) + ", constants " +
         neuron::human_bytes(total.constants) + ", compiled in " +
         milliseconds(total.time) + total.keys + "\n";
}

int compile(const runtime::parsed_command &arguments,
            command_context &context) {
  const auto config = load_command_config(arguments, context).config;
  const auto dump = dump_of(arguments);
  const auto spec = runtime::described_model(config.model);
  const auto plan = runtime::plan_model(spec, config);
  if (!dump.directory.empty())
    make_directory(dump.directory);
  context.out << spec.family << " " << to_string(plan.type)
              << ", tensor_parallel_degree " << plan.tp_degree() << ", "
              << to_string(neuron::selected_isa()) << ", neuron_optimize_level "
              << static_cast<int>(plan.optimize_level) << "\n";
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  const auto buckets = plan.buckets();
  double done = 0;
  for (const auto rows : buckets) {
    const auto line = compile_bucket(spec, plan, rows, dump);
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

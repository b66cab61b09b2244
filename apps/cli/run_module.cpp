// ganglion run: executes a module file once, on the host device or in the
// reference evaluator.
#include "apps/cli/command.hpp"
#include "apps/cli/module_values.hpp"
#include "apps/cli/open_module.hpp"
#include "apps/cli/required_option.hpp"
#include "apps/error_table.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "neuron/compiler/module_run.hpp"

#include <ostream>

namespace ganglion::apps {

namespace {

void append_arrays(hlo::literal value, std::vector<hlo::literal> &to) {
  if (!value.form().tuple) {
    to.push_back(std::move(value));
    return;
  }
  for (hlo::literal &element : value.elements())
    append_arrays(std::move(element), to);
}

module_values evaluated(const hlo::module &m, const module_values &arguments) {
  module_values out;
  for (hlo::literal &value : hlo::evaluate_partitions(m, arguments))
    append_arrays(std::move(value), out.emplace_back());
  return out;
}

int run(const runtime::parsed_command &arguments, command_context &context) {
  if (arguments.positionals.empty())
    throw error(error_code::invalid_argument, "required but missing",
                "command line", "FILE");
  const auto inputs = required_option(arguments, "inputs"),
             out = required_option(arguments, "out");
  const auto m = open_module(arguments.positionals[0]);
  const auto values = read_arguments(*m, inputs);
  const auto results =
      arguments.own.boolean("evaluator")
          ? evaluated(*m, values)
          : neuron::run_module(*m, values, {neuron::selected_isa()});
  write_results(results, out);
  context.out << "ran " << m->name() << ": " << results[0].size()
              << " arrays of " << results.size() << " partitions written to "
              << out << "\n";
  return exit_ok;
}

} // namespace

command run_module_command() {
  return {
      {.name = "run",
       .summary = "Executes a module file (HLO text or HloModuleProto) once",
       .positional = "FILE",
       .max_positionals = 1,
       .takes_engine_options = false,
       .options = {{.name = "inputs",
                    .help =
                        "safetensors file with a tensor for each parameter, "
                        "by name or number; NAME*2 is partition 2's own"},
                   {.name = "out",
                    .help = "safetensors file for the arrays of the result: "
                            "0, 1, ..., or 0*2 of partition 2"},
                   {.name = "evaluator",
                    .kind = runtime::option_kind::boolean,
                    .help = "run in the reference evaluator instead of on the "
                            "host device"}}},
      run};
}

} // namespace ganglion::apps

// ganglion inspect: what a checkpoint is, what a core would hold and how the
// ranks share it; reads headers, no weights. Or what a module file is.
#include "apps/cli/engine_setup.hpp"
#include "apps/cli/open_module.hpp"
#include "apps/error_table.hpp"
#include "neuron/core.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/saved_model.hpp"
#include "runtime/shard/sizing.hpp"

#include <filesystem>
#include <iomanip>
#include <ostream>

namespace ganglion::apps {

namespace {

std::ostream &row(std::ostream &out, const char *name) {
  return out << "  " << std::left << std::setw(22) << name;
}

std::int64_t parameters_of(const hlo::decoder_spec &spec) {
  std::int64_t sum = 0;
  for (const auto &w : hlo::decoder_weights(spec)) {
    std::int64_t n = 1;
    for (const auto d : w.whole)
      n *= d;
    // A tied head is the embedding, counted already; values that follow from
    // the config are no parameters.
    if (!(spec.tied_head && w.name == "head.weight") && w.values.empty())
      sum += n;
  }
  return sum;
}

/// `model` is null where there are no weights.
void print_model(std::ostream &out, const std::string &directory,
                 const hlo::decoder_spec &spec,
                 const runtime::model_source *model) {
  out << "model " << directory << "\n";
  row(out, "family") << spec.family << "\n";
  row(out, "parameters") << parameters_of(spec) << "\n";
  row(out, "stored as") << to_string(spec.stored_type);
  if (model)
    out << ", " << model->weights().names().size() << " tensors, "
        << neuron::human_bytes(model->weights().total_bytes()) << "\n";
  else
    out << ", no weights here\n";
  row(out, "layers") << spec.layers << "\n";
  row(out, "hidden") << spec.hidden << "\n";
  row(out, "heads") << spec.heads << " of " << spec.head_dim << ", "
                    << spec.kv_heads << " KV heads\n";
  row(out, "mlp") << spec.mlp << "\n";
  if (spec.experts > 0)
    row(out, "experts") << spec.experts << ", " << spec.experts_per_token
                        << " for a token\n";
  row(out, "vocabulary") << spec.vocabulary << (spec.tied_head ? ", tied" : "")
                         << "\n";
  row(out, "positions") << spec.n_positions << "\n";
}

void print_memory(std::ostream &out, const runtime::model_plan &plan) {
  out << "memory of one core, of " << neuron::human_bytes(plan.core_budget)
      << "\n";
  for (const auto &[what, bytes] : plan.reservations())
    row(out, what.c_str()) << neuron::human_bytes(bytes) << "\n";
  row(out, "KV pool") << plan.blocks << " blocks of " << plan.plan_block
                      << " positions\n";
  row(out, "sequences") << plan.slots << " of up to " << plan.n_positions
                        << " positions\n";
}

/// What a list of indices, `width` to each, says in runs: "0-3 6 padding".
void print_runs(std::ostream &out, const std::vector<std::int64_t> &list,
                std::int64_t width) {
  const auto number = [&](std::size_t i) {
    return list[i] < 0 ? -1 : list[i] / width;
  };
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (
        end < list.size() && number(i) >= 0 &&
        (number(end) == number(end - 1) || number(end) == number(end - 1) + 1))
      ++end;
    out << (i == 0 ? "" : " ");
    if (number(i) < 0)
      out << "padding";
    else if (number(end - 1) == number(i))
      out << number(i);
    else
      out << number(i) << "-" << number(end - 1);
    i = end;
  }
}

/// "[8, 16)", cut at `whole` for the last rank's padding.
void print_range(std::ostream &out, std::int64_t rank, std::int64_t each,
                 std::int64_t whole) {
  const auto begin = std::min(rank * each, whole);
  out << "[" << begin << ", " << std::min(begin + each, whole) << ")";
  if (begin + each > whole)
    out << " + " << begin + each - std::max(begin, whole) << " padding";
}

void print_ranks(std::ostream &out, const hlo::decoder_spec &spec,
                 const runtime::model_plan &plan) {
  const hlo::placement placed(spec, plan.sharding);
  out << "ranks " << plan.tp_degree() << ", " << to_string(plan.type);
  if (plan.quantize.on())
    out << (plan.quantize.head ? ", layers and head " : ", layers ")
        << to_string(plan.quantize.layers);
  if (plan.cache == hlo::cache_quantisation::s8)
    out << ", KV cache s8";
  out << "\n";
  for (std::int64_t r = 0; r < plan.tp_degree(); ++r) {
    const auto name = "rank " + std::to_string(r);
    row(out, name.c_str()) << "heads ";
    print_runs(out, placed.heads_of(r), 1);
    out << ", KV heads ";
    print_runs(out, placed.kv_columns_of(r), spec.head_dim);
    if (placed.experts() < spec.experts) {
      out << ", experts ";
      print_range(out, r, placed.experts(), spec.experts);
    } else {
      out << ", mlp ";
      print_range(out, r, placed.mlp(), spec.mlp);
    }
    out << ", vocabulary ";
    print_range(out, r, placed.vocabulary(), spec.vocabulary);
    out << "\n";
  }
}

/// Which programs a start would find, and where.
void print_artifacts(std::ostream &out, const runtime::engine_config &config,
                     const runtime::model_source &model,
                     const runtime::model_plan &plan) {
  const auto known = runtime::open_artifacts(config, model, plan,
                                             runtime::saved_parts::programs);
  const auto missing = runtime::missing_programs(model.spec(), plan, known);
  out << "programs " << plan.programs() << ", " << missing << " to compile\n";
  for (const auto &store : known.stores())
    row(out, "kept in") << store.directory() << "\n";
}

/// Which degrees the instance's cores can hold the model at.
void print_sizes(std::ostream &out, const hlo::decoder_spec &spec,
                 const runtime::engine_config &config) {
  out << "degrees of " << config.graph.instance << ", weights and KV cache of "
      << config.scheduling.max_rolling_batch_size << " sequences\n";
  for (const auto &size : runtime::sizes_of(spec, config)) {
    const auto name = "degree " + std::to_string(size.tp_degree);
    if (!size.possible()) {
      row(out, name.c_str()) << "not possible: " << size.refusal << "\n";
      continue;
    }
    row(out, name.c_str()) << neuron::human_bytes(size.weight_bytes) << " + "
                           << neuron::human_bytes(size.cache_bytes)
                           << " a core, "
                           << neuron::human_bytes(
                                  size.bytes() *
                                  static_cast<std::size_t>(size.tp_degree))
                           << " in all: "
                           << (size.fits() ? "fits " : "does not fit ")
                           << neuron::human_bytes(size.core_budget);
    if (size.padded_heads > 0)
      out << ", with " << size.padded_heads << " heads of padding";
    out << "\n";
  }
}

/// Whether a directory has a config and no weights, which is enough to tell
/// sizes.
bool is_config_alone(const std::string &directory) {
  return std::filesystem::exists(directory + "/config.json") &&
         !std::filesystem::exists(directory + "/checkpoint") &&
         !runtime::checkpoint::present_in(directory);
}

int inspect(const runtime::parsed_command &arguments,
            command_context &context) {
  if (!arguments.positionals.empty()) {
    describe_module(context.out, *open_module(arguments.positionals[0]));
    return exit_ok;
  }
  const auto config = load_command_config(arguments, context).config;
  const auto &directory = config.model.model_id;
  const auto model =
      is_config_alone(directory) ? nullptr : runtime::open_model(config.model);
  const auto spec =
      model ? model->spec() : runtime::described_model(config.model);
  print_model(context.out, directory, spec, model.get());
  print_sizes(context.out, spec, config);
  const auto plan = runtime::plan_model(spec, config);
  print_memory(context.out, plan);
  print_ranks(context.out, spec, plan);
  if (model)
    print_artifacts(context.out, config, *model, plan);
  neuron::core(0, plan.core_budget).reserve(plan.reservations());
  return exit_ok;
}

} // namespace

command inspect_command() {
  return {{.name = "inspect",
           .summary = "Tells what a checkpoint is and how it would be placed, "
                      "or what a module FILE is",
           .positional = "[FILE]",
           .max_positionals = 1,
           .takes_engine_options = true,
           .options = {}},
          inspect};
}

} // namespace ganglion::apps

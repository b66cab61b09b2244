// make-model: a random checkpoint of any supported shape in HuggingFace's
// format.
#include "benchmarks/mode.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/model/shape_options.hpp"
#include "hlo/support/error.hpp"

namespace ganglion::benchmarks {

namespace {

void run(const runtime::parsed_command &arguments, report &out) {
  if (arguments.positionals.empty())
    throw error(error_code::invalid_argument, "names no directory to write to",
                "command line", "DIR");
  auto spec = shape_of(arguments.own);
  spec.dtype = stored_dtype(arguments.own.string("dtype"));
  const auto &directory = arguments.positionals[0];
  write_model(directory, spec);
  out.tables.push_back(
      {"model",
       "Normal weights of deviation 0.02, norms 1.",
       {{"directory"}, {"shape"}, {"dtype"}, {"parameters"}},
       {{directory, describe(spec), arguments.own.string("dtype"),
         static_cast<std::int64_t>(runtime::parameter_count(spec))}}});
}

} // namespace

mode make_model_mode() {
  return {
      {.name = "make-model",
       .summary = "Writes a random checkpoint of any supported shape",
       .positional = "DIR",
       .max_positionals = 1,
       .takes_engine_options = false,
       .options = with_shape_options({{.name = "dtype",
                                       .kind = runtime::option_kind::choice,
                                       .fallback = "f32",
                                       .help = "element type of the weights",
                                       .choices = {"f32", "f16", "bf16"}}})},
      run};
}

} // namespace ganglion::benchmarks

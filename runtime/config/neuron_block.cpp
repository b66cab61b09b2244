#include "runtime/config/neuron_block.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

struct block_field {
  const char *name;   ///< in the block
  const char *option; ///< in the table
};

constexpr block_field fields[] = {
    {"num_cores", "tensor_parallel_degree"},
    {"sequence_length", "n_positions"},
    {"batch_size", "max_rolling_batch_size"},
    {"auto_cast_type", "dtype"},
};

std::string text_of(const json::value &value) {
  return value.is_string() ? value.as_string() : std::to_string(value.as_int());
}

/// 0 and auto leave the choice to others.
bool is_open(const option_value &value) {
  if (const auto *number = std::get_if<std::int64_t>(&value))
    return *number == 0;
  const auto *text = std::get_if<std::string>(&value);
  return text && *text == "auto";
}

std::string shown(const option_value &value) {
  if (const auto *number = std::get_if<std::int64_t>(&value))
    return std::to_string(*number);
  return std::get<std::string>(value);
}

void check(const resolved_option &given, const option_value &compiled,
           const json::value &field) {
  if (given.origin == option_origin::fallback || is_open(given.value) ||
      given.value == compiled)
    return;
  throw error(error_code::invalid_argument,
              shown(given.value) + " is asked for (" + given.where +
                  "), but the model was compiled for " + shown(compiled) +
                  ", says " + field.path() + " in " + field.where(),
              given.where, given.key);
}

} // namespace

std::vector<option_setting> neuron_block_settings(const std::string &directory,
                                                  const option_values &values) {
  const auto path = directory + "/config.json";
  std::error_code ignored; // what cannot be seen is not there
  if (!std::filesystem::is_regular_file(path, ignored))
    return {};
  return neuron_block_settings(json::document::load(path).root(), values);
}

std::vector<option_setting> neuron_block_settings(const json::value &config,
                                                  const option_values &values) {
  const auto block = config.is_object() ? config.find("neuron") : std::nullopt;
  if (!block)
    return {};
  const auto &path = config.where();
  std::vector<option_setting> out;
  for (const auto &[name, option] : fields) {
    const auto value = block->find(name);
    if (!value)
      continue;
    const auto *spec = find_option(engine_options(), option);
    const auto text = text_of(*value);
    check(values.at(option),
          parse_option(*spec, text, path, "neuron." + std::string(name)),
          *value);
    // What is given elsewhere agrees or is open, so nothing may override it.
    out.push_back({spec, text, option_origin::command_line, path,
                   "neuron." + std::string(name)});
  }
  return out;
}

std::string neuron_block(std::int64_t num_cores, std::int64_t sequence_length,
                         std::int64_t batch_size, const std::string &dtype,
                         const std::string &compiler_version) {
  const auto cast = dtype == "f32" ? "fp32" : dtype == "f16" ? "fp16" : dtype;
  json::writer w;
  w.begin_object();
  w.key("task").string("text-generation");
  w.key("num_cores").integer(num_cores);
  w.key("sequence_length").integer(sequence_length);
  w.key("batch_size").integer(batch_size);
  w.key("auto_cast_type").string(cast);
  w.key("compiler_type").string("ganglion");
  w.key("compiler_version").string(compiler_version);
  w.end_object();
  return w.text();
}

} // namespace ganglion::runtime

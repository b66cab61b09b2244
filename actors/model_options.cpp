#include "actors/model_options.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <vector>

namespace ganglion::actors {

namespace {

using runtime::option_setting;

constexpr const char *place = "from_pretrained";

[[noreturn]] void refuse(const std::string &name, const std::string &message) {
  throw error(error_code::invalid_argument, message, place, name);
}

class setting_list {
public:
  /// `name` is ours, `option` the table's.
  void add(const std::string &name, const char *option, std::string text) {
    append(name, runtime::find_option(runtime::engine_options(), option),
           std::move(text));
  }

  /// An option of the table that has no name of its own here.
  void add_other(const std::string &name, const std::string &text) {
    const auto &table = runtime::engine_options();
    const auto *option = runtime::find_option(table, name);
    if (!option) {
      const auto nearest = runtime::nearest_option(table, name);
      refuse(name, "no such option" +
                       (nearest.empty() ? std::string()
                                        : "; did you mean '" + nearest + "'?"));
    }
    if (option->scope == runtime::option_scope::server)
      refuse(name, "is for the HTTP server and means nothing here");
    const auto same =
        std::ranges::find(settings_, option, &option_setting::option);
    if (same != settings_.end())
      refuse(name, "is given already, as '" + same->key + "'");
    append(name, option, text);
  }

  const std::vector<option_setting> &all() const { return settings_; }

private:
  void append(const std::string &name, const runtime::option_spec *option,
              std::string text) {
    require(option, "model_options: an option that is not in the table");
    settings_.push_back({option, std::move(text),
                         runtime::option_origin::host_program, place, name});
  }

  std::vector<option_setting> settings_;
};

std::string text_of(const batch_sizes &sizes) {
  std::string out;
  for (const auto size : sizes.all())
    out += (out.empty() ? "" : ",") + std::to_string(size);
  if (out.empty())
    refuse("batch_size", "names no size; accepted: one or more");
  return out;
}

} // namespace

runtime::engine_config config_of(const std::string &directory,
                                 const model_options &options) {
  setting_list list;
  list.add("directory", "model_id", directory);
  list.add("batch_size", "batch_size", text_of(options.batch_size));
  list.add("tp_degree", "tensor_parallel_degree",
           std::to_string(options.tp_degree));
  list.add("n_positions", "n_positions", std::to_string(options.n_positions));
  list.add("amp", "dtype", options.amp);
  for (const auto &[name, text] : options.neuron_config)
    list.add_other(name, text);
  return runtime::make_engine_config(
      runtime::option_values::resolve(runtime::engine_options(), list.all()));
}

} // namespace ganglion::actors

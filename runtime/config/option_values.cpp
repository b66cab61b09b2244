#include "runtime/config/option_values.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

namespace {

resolved_option fallback_of(const option_spec &spec) {
  const std::string name(spec.name), where = "default";
  auto value = spec.fallback.empty()
                   ? empty_value(spec.kind)
                   : parse_option(spec, spec.fallback, where, name);
  return {std::move(value), option_origin::fallback, where, name};
}

/// Appends the items of `later` to those of `earlier`.
void collect(option_value &earlier, option_value later) {
  auto &items = std::get<std::vector<std::string>>(earlier);
  for (auto &item : std::get<std::vector<std::string>>(later))
    items.push_back(std::move(item));
}

void apply(resolved_option &current, const option_setting &setting) {
  if (setting.origin < current.origin)
    return;
  auto value =
      parse_option(*setting.option, setting.text, setting.where, setting.key);
  if (setting.option->kind == option_kind::string_list &&
      setting.origin == current.origin)
    collect(current.value, std::move(value));
  else
    current = {std::move(value), setting.origin, setting.where, setting.key};
}

} // namespace

option_value empty_value(option_kind kind) {
  switch (kind) {
  case option_kind::integer:
    return std::int64_t{0};
  case option_kind::real:
    return 0.0;
  case option_kind::boolean:
    return false;
  case option_kind::integer_list:
    return std::vector<std::int64_t>{};
  case option_kind::string_list:
    return std::vector<std::string>{};
  case option_kind::string:
  case option_kind::choice:
    return std::string();
  }
  return std::string();
}

option_values option_values::resolve(const option_table &table,
                                     std::span<const option_setting> settings) {
  option_values out;
  for (const auto &spec : table)
    out.values_.emplace(spec.name, fallback_of(spec));
  for (const auto &setting : settings) {
    const auto found = out.values_.find(setting.option->name);
    require(found != out.values_.end(), "a setting of another table");
    apply(found->second, setting);
  }
  return out;
}

const resolved_option &option_values::at(std::string_view name) const {
  const auto found = values_.find(name);
  require(found != values_.end(), "an option that is not in the table");
  return found->second;
}

} // namespace ganglion::runtime

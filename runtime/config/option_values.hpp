// Every option of a table with its typed value and who gave it: the merge of
// all sources.
#pragma once

#include "runtime/config/config_source.hpp"
#include "runtime/config/option_value.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

struct resolved_option {
  option_value value;
  option_origin origin = option_origin::fallback;
  std::string
      where;       ///< file and line, "environment", "command line", "default"
  std::string key; ///< as written there; the option's name for a default
};

/// Immutable once resolved.
class option_values {
public:
  /// Gives each option of `table` the value of its strongest setting; among
  /// equals the last, except that lists of strings collect. Throws
  /// `invalid_argument` naming place, key, value and what is accepted.
  static option_values resolve(const option_table &table,
                               std::span<const option_setting> settings);

  /// The value of the option called `name`, as the type of its kind; another
  /// type or name is a programming error.
  template <class T>
  const T &get(std::string_view name) const {
    return std::get<T>(at(name).value);
  }
  std::int64_t integer(std::string_view name) const {
    return get<std::int64_t>(name);
  }
  const std::string &string(std::string_view name) const {
    return get<std::string>(name);
  }
  bool boolean(std::string_view name) const { return get<bool>(name); }
  double real(std::string_view name) const { return get<double>(name); }

  /// Whether anybody gave a value.
  bool is_set(std::string_view name) const {
    return at(name).origin > option_origin::smart_default;
  }
  /// The value with its origin. Throws `internal` for a name not in the table.
  const resolved_option &at(std::string_view name) const;

private:
  std::map<std::string, resolved_option, std::less<>> values_;
};

/// Kinds with an empty default ("" for a number) have no value unless given:
/// `is_set` tells. They hold a zero meanwhile.
option_value empty_value(option_kind kind);

} // namespace ganglion::runtime

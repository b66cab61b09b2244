#include "runtime/chat/binding.hpp"

#include "runtime/chat/operators.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

binding::binding(rendering &run, std::string_view function,
                 const arguments &given,
                 std::initializer_list<std::string_view> names)
    : run_(run),
      function_(function),
      names_(names),
      values_(names.size()) {
  if (given.positional.size() > names.size())
    fail("takes at most " + std::to_string(names.size()) + " arguments (" +
         std::to_string(given.positional.size()) + " given)");
  std::ranges::copy(given.positional, values_.begin());
  for (const auto &[name, item] : given.named) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      fail("got an unexpected keyword argument '" + name + "'");
    auto &place = values_[static_cast<std::size_t>(found - names.begin())];
    if (place)
      fail("got multiple values for argument '" + name + "'");
    place = item;
  }
}

void binding::fail(const std::string &message) const {
  run_.fail(failure::type, std::string(function_) + "() " + message);
}

const value &binding::required(std::size_t i) const {
  if (!values_[i])
    fail("missing a required argument: '" + std::string(names_[i]) + "'");
  return *values_[i];
}

bool binding::flag(std::size_t i, bool fallback) const {
  return values_[i] ? is_true(*values_[i]) : fallback;
}

std::int64_t binding::whole(std::size_t i, std::int64_t fallback) const {
  if (!values_[i])
    return fallback;
  require_defined(run_, *values_[i]);
  if (!is_whole(*values_[i]))
    fail("'" + type_name(*values_[i]) +
         "' object cannot be interpreted as an integer");
  return as_whole(*values_[i]);
}

std::string binding::text(std::size_t i, std::string fallback) const {
  if (!values_[i])
    return fallback;
  require_defined(run_, *values_[i]);
  if (!values_[i]->is_string())
    fail("argument must be str, not " + type_name(*values_[i]));
  return values_[i]->as_string();
}

} // namespace ganglion::runtime::chat

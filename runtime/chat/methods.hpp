// Methods of text, lists and dictionaries.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

/// Runs receiver.name(given), or nothing when there is no such method.
std::optional<value> call_method(rendering &run, const value &receiver,
                                 std::string_view name, const arguments &given);

enum class method_status {
  none,        ///< the type has no such attribute
  offered,     ///< call_method runs it
  unsafe,      ///< it would change a value or reach beyond the template
  not_offered, ///< Python has it
};
method_status find_method(const value &receiver, std::string_view name);

using string_method = value (*)(rendering &, const std::string &,
                                const arguments &);
/// Null when text has no such method here.
string_method find_string_method(std::string_view name);

} // namespace ganglion::runtime::chat

#include "runtime/tokenizer/metaspace.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

namespace {

prepend_scheme scheme_from(const json::value &name) {
  const auto text = name.as_string_view();
  if (text == "always")
    return prepend_scheme::always;
  if (text == "first")
    return prepend_scheme::first;
  if (text == "never")
    return prepend_scheme::never;
  throw error(error_code::invalid_argument,
              "'" + std::string(text) +
                  "' is none of \"always\", \"first\", \"never\"",
              name.where(), name.path());
}

} // namespace

metaspace_options read_metaspace(const json::value &component) {
  metaspace_options out;
  const auto replacement = component.at("replacement");
  out.replacement = replacement.as_string();
  if (out.replacement.empty() ||
      utf8_length(out.replacement[0]) != out.replacement.size())
    throw error(error_code::invalid_argument, "must be one character",
                replacement.where(), replacement.path());
  if (const auto scheme = component.find("prepend_scheme"))
    out.scheme = scheme_from(*scheme);
  // Older files say it with a boolean; a false one wins there too.
  if (!component.get_bool("add_prefix_space", true))
    out.scheme = prepend_scheme::never;
  out.split = component.get_bool("split", true);
  return out;
}

} // namespace ganglion::runtime

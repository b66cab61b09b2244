#include "runtime/config/config_notes.hpp"

#include "runtime/config/value_text.hpp"

namespace ganglion::runtime {

std::vector<std::string> notes_on(const option_table &table,
                                  const option_values &values) {
  std::vector<std::string> out;
  for (const auto &spec : table) {
    const auto &option = values.at(spec.name);
    if (spec.ignored.empty() || option.origin <= option_origin::smart_default)
      continue;
    const auto text = shown_text(spec, option.value);
    if (const auto *note = note_on(spec.ignored, text))
      out.push_back(option.where + ": " + option.key + "=" + text +
                    " changes nothing: " + std::string(note->text));
  }
  return out;
}

} // namespace ganglion::runtime

#include "runtime/config/command_line.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

constexpr std::size_t width = 80;
constexpr std::size_t indent = 6;

std::string dashed(std::string_view name) {
  std::string out = "--" + std::string(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string names_line(const option_spec &spec) {
  std::string out = "  " + dashed(spec.name);
  for (const auto alias : spec.aliases)
    out += ", " + dashed(alias);
  if (!spec.variable.empty()) {
    const auto text = "(variable " + std::string(spec.variable) + ")";
    const bool fits = out.size() + 2 + text.size() <= width;
    out += (fits ? "  " : "\n" + std::string(indent, ' ')) + text;
  }
  return out + "\n";
}

/// `text` broken at spaces, each line indented.
std::string wrapped(std::string_view text) {
  std::string out, line(indent, ' ');
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    if (line.size() > indent && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::string option_text(const option_spec &spec) {
  std::string about(spec.help);
  if (spec.kind != option_kind::boolean && spec.kind != option_kind::string)
    about += "; " + accepted_text(spec);
  if (!spec.fallback.empty() && spec.kind != option_kind::boolean)
    about += " [" + std::string(spec.fallback) + "]";
  return names_line(spec) + wrapped(about);
}

std::string_view title(option_scope scope) {
  switch (scope) {
  case option_scope::model:
    return "Model";
  case option_scope::graph:
    return "Graph and device";
  case option_scope::scheduling:
    return "Scheduling";
  case option_scope::speculation:
    return "Speculation";
  case option_scope::server:
    return "Server";
  case option_scope::ignored:
  case option_scope::refused:
  case option_scope::command:
    return "Options";
  }
  return "Options";
}

} // namespace

std::string help_text(const command_spec &command) {
  auto table = command.options;
  if (command.takes_engine_options)
    for (const auto &spec : engine_options())
      if (spec.scope != option_scope::ignored &&
          spec.scope != option_scope::refused &&
          !find_option(command.options, spec.name)) // else the command's own
        table.push_back(spec);
  std::string out = "usage: ganglion " + std::string(command.name) +
                    " [options]" + (command.positional.empty() ? "" : " ") +
                    std::string(command.positional) + "\n\n" +
                    std::string(command.summary) + "\n";
  std::string_view section;
  for (const auto &spec : table) {
    if (title(spec.scope) != section) {
      section = title(spec.scope);
      out += "\n" + std::string(section) + ":\n";
    }
    out += option_text(spec);
  }
  if (command.takes_engine_options)
    out += "\nFrom \"Model\" on, options may also stand in "
           "serving.properties\n(option.NAME=value) or the environment "
           "(OPTION_NAME); the command line wins.\nOther keys of the LMI "
           "container are in docs/configuration.md.\n";
  return out;
}

} // namespace ganglion::runtime

#include "runtime/config/command_line.hpp"

#include "hlo/support/error.hpp"

#include <optional>

namespace ganglion::runtime {

namespace {

constexpr const char *place = "command line";

/// Walks the arguments once.
class parser {
public:
  parser(const command_spec &command, std::span<const std::string> arguments)
      : command_(command),
        rest_(arguments) {}

  parsed_command run() {
    while (!rest_.empty())
      take(next());
    out_.own = option_values::resolve(command_.options, own_);
    return std::move(out_);
  }

private:
  const std::string &next() {
    const std::string &argument = rest_.front();
    rest_ = rest_.subspan(1);
    return argument;
  }

  void take(const std::string &argument) {
    if (argument == "--")
      while (!rest_.empty())
        take_positional(next());
    else if (argument == "-h" || argument == "--help")
      out_.help = true;
    else if (argument.starts_with("--"))
      take_option(argument);
    else if (argument.size() > 1 && argument[0] == '-')
      throw error(error_code::invalid_argument,
                  "unknown option; options begin with --, and what follows "
                  "a lone -- is never an option",
                  place, argument);
    else
      take_positional(argument);
  }

  void take_positional(const std::string &argument) {
    if (out_.positionals.size() == command_.max_positionals)
      throw error(error_code::invalid_argument,
                  "unexpected argument '" + argument + "'", place);
    out_.positionals.push_back(argument);
  }

  void take_option(const std::string &argument) {
    const auto equals = argument.find('=');
    const auto key = argument.substr(0, equals);
    const auto name = std::string_view(key).substr(2);
    const auto *own = find_option(command_.options, name);
    const auto *spec = own ? own
                       : command_.takes_engine_options
                           ? find_option(engine_options(), name)
                           : nullptr;
    if (spec == nullptr)
      refuse_unknown(key);
    auto text = equals == std::string::npos ? value_of(*spec, key)
                                            : argument.substr(equals + 1);
    (own ? own_ : out_.engine)
        .push_back(
            {spec, std::move(text), option_origin::command_line, place, key});
  }

  /// The value of an option that was written without '='.
  std::string value_of(const option_spec &spec, const std::string &key) {
    if (spec.kind == option_kind::boolean)
      return "true";
    if (rest_.empty() || rest_.front().starts_with("--"))
      throw error(error_code::invalid_argument,
                  "needs a value: " + accepted_text(spec), place, key);
    return next();
  }

  [[noreturn]] void refuse_unknown(const std::string &key) const {
    auto all = command_.options;
    if (command_.takes_engine_options)
      all.insert(all.end(), engine_options().begin(), engine_options().end());
    auto nearest = nearest_option(all, std::string_view(key).substr(2));
    for (char &c : nearest)
      c = c == '_' ? '-' : c;
    throw error(error_code::invalid_argument,
                "unknown option" + (nearest.empty()
                                        ? std::string("; -h lists all")
                                        : "; did you mean --" + nearest + "?"),
                place, key);
  }

  const command_spec &command_;
  std::span<const std::string> rest_;
  std::vector<option_setting> own_;
  parsed_command out_;
};

} // namespace

parsed_command parse_command_line(const command_spec &command,
                                  std::span<const std::string> arguments) {
  return parser(command, arguments).run();
}

} // namespace ganglion::runtime

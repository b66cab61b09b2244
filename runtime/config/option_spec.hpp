// What an option is: its name, type, default, accepted values and help. The
// command line, serving.properties and the environment all read this.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime {

enum class option_kind {
  string,
  integer,
  real,
  boolean,
  choice,
  integer_list, ///< "1,2,3"
  string_list,  ///< one item per mention
};

/// Which part of `engine_config` an option belongs to. `ignored` are keys of
/// the LMI container that are accepted and change nothing here, `refused` those
/// that stop the start; `command` is for the options that one subcommand adds
/// for itself.
enum class option_scope {
  model,
  graph,
  scheduling,
  speculation,
  server,
  ignored,
  refused,
  command,
};

/// A value and what to say about it; "*" stands for every value.
struct value_note {
  std::string_view value;
  std::string_view text; ///< one phrase, no full stop
};

/// One row of a table. Views refer to literals, which live for ever.
struct option_spec {
  std::string_view name = {}; ///< "tensor_parallel_degree", words joined by '_'
  option_kind kind = option_kind::string;
  option_scope scope = option_scope::command;
  std::string_view fallback = {}; ///< the default, as text
  std::string_view help = {};     ///< one phrase, no full stop
  /// Other names with the same meaning ("tp_degree").
  std::vector<std::string_view> aliases = {};
  /// A variable of its own besides OPTION_NAME ("HF_MODEL_ID").
  std::string_view variable = {};
  /// The accepted words of a choice.
  std::vector<std::string_view> choices = {};
  /// Bounds of integers and reals, both included.
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  /// Words that stand for another value: {"auto", "0"}, {"fp16", "f16"}.
  std::vector<std::pair<std::string_view, std::string_view>> synonyms = {};
  /// Values that are accepted but change nothing, and why; told when set.
  std::vector<value_note> ignored = {};
  /// Values that are understood but refused, and why.
  std::vector<value_note> refused = {};
  bool secret = false; ///< its value is never shown
};

/// "from 1 to 64", "one of auto, f32": what a message or help text says that
/// `spec` accepts.
std::string accepted_text(const option_spec &spec);

/// What `notes` say about `text` (in any case of letters), or null.
const value_note *note_on(const std::vector<value_note> &notes,
                          std::string_view text);

} // namespace ganglion::runtime

// The grammar of JSON itself: white space, strings, numbers, any value.
#pragma once

#include "runtime/grammar/builder.hpp"

#include <optional>

namespace ganglion::runtime::grammar {

/// Rules that all of a builder's JSON shares, each made when it is first asked
/// for.
class json_text {
public:
  explicit json_text(builder &to) : to_(to) {}

  /// Nothing, a space, or a new line and its indentation.
  expr white_space();
  /// One character of a string, escaped or not.
  expr character();
  expr string();
  /// A string of `least` to `most` (or `no_bound`) characters.
  expr string(std::int32_t least, std::int32_t most);
  /// Bounded in digits, so that readers hold it and it comes to an end.
  expr integer();
  expr number();
  expr boolean();
  expr null();
  expr any_value();
  expr any_object();

  /// `open`, the items with commas between them, `close`. Items come `least`
  /// to `most` (or `no_bound`) times.
  expr list(char open, expr item, std::int32_t least, std::int32_t most,
            char close);
  /// "name": value
  expr member(expr name, expr value);
  /// What comes between two items.
  expr comma();
  expr bracket(char open);  ///< with the white space after it
  expr closing(char close); ///< with the white space before it

private:
  expr shared(std::optional<rule> &known, const char *name,
              expr (json_text::*make)());
  expr make_white_space();
  expr make_character();
  expr make_string();
  expr make_integer();
  expr make_number();
  expr make_value();
  expr make_object();
  expr one(const char *bytes);
  expr digits(std::int32_t least, std::int32_t most);

  builder &to_;
  std::optional<rule> white_space_, character_, string_, integer_, number_,
      value_, object_;
};

} // namespace ganglion::runtime::grammar

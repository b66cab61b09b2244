// What a template computes with: Python's simple values. Text, lists and
// dictionaries never change once made, so values are cheap to copy and cannot
// form cycles.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ganglion::runtime::chat {

class value;

/// Something with an identity that one rendering owns: a namespace, a macro,
/// a generator, a loop. See object.hpp.
class object;

/// How a sequence is written and what it allows; all hold a vector.
enum class sequence_kind : std::uint8_t {
  list,
  tuple,
  range,
  keys,   ///< dict.keys()
  values, ///< dict.values()
  items,  ///< dict.items()
};

struct sequence {
  std::vector<value> items;
  sequence_kind kind = sequence_kind::list;
  std::size_t depth = 1; ///< 1 + that of the deepest item
};

/// Keeps the order in which keys came first.
struct dictionary {
  std::vector<std::pair<value, value>> entries;
  std::size_t depth = 1;
};

/// What stands for a name, member or element that is not there; `message`
/// says so when it is used in a way that needs a value.
struct undefined {
  std::shared_ptr<const std::string> message;
};

/// Safe to share between threads, like the text and containers inside it.
class value {
public:
  using entry = std::pair<value, value>;

  /// None.
  value() = default;
  value(std::same_as<bool> auto truth) : data_(truth) {}
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) value(T number)
      : data_(static_cast<std::int64_t>(number)) {}
  value(double number) : data_(number) {}
  /// `text` must be UTF-8.
  value(std::string text)
      : data_(std::make_shared<const std::string>(std::move(text))) {}
  value(std::string_view text) : value(std::string(text)) {}
  value(const char *text) : value(std::string(text)) {}
  value(undefined missing) : data_(std::move(missing)) {}
  /// Does not own `thing`.
  value(object &thing) : data_(&thing) {}

  static value list(std::vector<value> items,
                    sequence_kind kind = sequence_kind::list);
  /// A later entry replaces the value of an equal text key before it; keys
  /// that are no text must differ.
  static value dict(std::vector<entry> entries);

  bool is_none() const { return holds<std::monostate>(); }
  bool is_undefined() const { return holds<undefined>(); }
  bool is_bool() const { return holds<bool>(); }
  bool is_integer() const { return holds<std::int64_t>(); }
  bool is_real() const { return holds<double>(); }
  bool is_string() const { return holds<text_pointer>(); }
  bool is_sequence() const { return holds<sequence_pointer>(); }
  bool is_sequence(sequence_kind kind) const {
    return is_sequence() && as_sequence().kind == kind;
  }
  bool is_dict() const { return holds<dictionary_pointer>(); }
  bool is_object() const { return holds<object *>(); }
  /// As Python has it: True and False are numbers.
  bool is_number() const { return is_bool() || is_integer() || is_real(); }

  /// Each needs the kind it names.
  bool as_bool() const { return std::get<bool>(data_); }
  std::int64_t as_integer() const { return std::get<std::int64_t>(data_); }
  double as_real() const { return std::get<double>(data_); }
  const std::string &as_string() const {
    return *std::get<text_pointer>(data_);
  }
  const sequence &as_sequence() const {
    return *std::get<sequence_pointer>(data_);
  }
  const std::vector<value> &items() const { return as_sequence().items; }
  const dictionary &as_dict() const {
    return *std::get<dictionary_pointer>(data_);
  }
  object &as_object() const { return *std::get<object *>(data_); }
  const undefined &as_undefined() const { return std::get<undefined>(data_); }

  /// The value of a text key, or null when this is no dictionary or has none.
  const value *find(std::string_view key) const;
  /// How deeply containers nest: 0 for what is no container.
  std::size_t depth() const;

private:
  using text_pointer = std::shared_ptr<const std::string>;
  using sequence_pointer = std::shared_ptr<const sequence>;
  using dictionary_pointer = std::shared_ptr<const dictionary>;

  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(data_);
  }

  std::variant<std::monostate, undefined, bool, std::int64_t, double,
               text_pointer, sequence_pointer, dictionary_pointer, object *>
      data_;
};

} // namespace ganglion::runtime::chat

// The one place that knows simdjson: a parsed document and typed, checked
// access to its values. Every failure names the document and the field.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::json {

/// A value inside a `document`, which must outlive it. Cheap to copy. `path`
/// is how messages name it ("rope_scaling.factor").
class value {
public:
  value(simdjson::dom::element element, std::string path, std::string where)
      : element_(element),
        path_(std::move(path)),
        where_(std::move(where)) {}

  bool is_null() const { return element_.is_null(); }
  bool is_bool() const { return element_.is_bool(); }
  bool is_string() const { return element_.is_string(); }
  bool is_array() const { return element_.is_array(); }
  bool is_object() const { return element_.is_object(); }
  bool is_number() const { return element_.is_number(); }
  bool is_integer() const {
    return element_.is_int64() || element_.is_uint64();
  }

  /// Typed access; throws `invalid_argument` naming the path, what was
  /// expected and what was found.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_double() const;
  std::string as_string() const;
  std::string_view as_string_view() const;

  /// The elements of an array; throws when this is none.
  std::vector<value> items() const;
  /// The members of an object in document order; throws when this is none.
  std::vector<std::pair<std::string, value>> members() const;
  std::size_t size() const;

  /// The member `key`, or nothing if it is absent or null.
  std::optional<value> find(std::string_view key) const;
  /// The member `key`; throws if absent or null.
  value at(std::string_view key) const;

  /// The member `key` converted, or `fallback` if it is absent or null.
  bool get_bool(std::string_view key, bool fallback) const;
  std::int64_t get_int(std::string_view key, std::int64_t fallback) const;
  double get_double(std::string_view key, double fallback) const;
  std::string get_string(std::string_view key, std::string fallback) const;

  /// This value written back as JSON text.
  std::string dump() const;
  const std::string &path() const { return path_; }
  const std::string &where() const { return where_; }

private:
  [[noreturn]] void fail(const char *expected) const;

  simdjson::dom::element element_;
  std::string path_;
  std::string where_;
};

/// A parsed JSON text that owns everything its values point to. Movable; not
/// for use by two threads at once.
class document {
public:
  /// Parses `text`; `where` names its origin in messages. Throws
  /// `corrupt_data` with the reason.
  static document parse(std::string_view text, std::string where);
  /// Reads and parses a file. Throws `not_found` or `corrupt_data`.
  static document load(const std::string &path);

  value root() const;

private:
  document() = default;
  std::unique_ptr<simdjson::dom::parser> parser_;
  simdjson::dom::element root_;
  std::string where_;
};

} // namespace ganglion::json

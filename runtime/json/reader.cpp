#include "runtime/json/reader.hpp"

#include "hlo/support/error.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace ganglion::json {

namespace {

std::string_view kind_of(const simdjson::dom::element &element) {
  switch (element.type()) {
  case simdjson::dom::element_type::ARRAY:
    return "an array";
  case simdjson::dom::element_type::OBJECT:
    return "an object";
  case simdjson::dom::element_type::STRING:
    return "a string";
  case simdjson::dom::element_type::BOOL:
    return "a boolean";
  case simdjson::dom::element_type::NULL_VALUE:
    return "null";
  default:
    return "a number";
  }
}

std::string child_path(const std::string &parent, std::string_view key) {
  return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}

constexpr std::uintmax_t max_file = std::uintmax_t{1} << 28;

/// A pipe or a device in place of a file could be read for ever.
void check_file(const std::string &path) {
  std::error_code failure;
  const auto kind = std::filesystem::status(path, failure).type();
  if (kind == std::filesystem::file_type::regular) {
    const auto size = std::filesystem::file_size(path, failure);
    if (!failure && size > max_file)
      throw error(error_code::corrupt_data,
                  "is " + std::to_string(size) + " bytes long, more than " +
                      std::to_string(max_file),
                  path);
  } else if (std::filesystem::exists(path, failure)) {
    throw error(error_code::corrupt_data,
                kind == std::filesystem::file_type::directory
                    ? "is a directory, expected a file"
                    : "is not a regular file",
                path);
  }
}

} // namespace

void value::fail(const char *expected) const {
  throw error(error_code::invalid_argument,
              std::string("expected ") + expected + ", found " +
                  std::string(kind_of(element_)),
              where_, path_);
}

bool value::as_bool() const {
  bool out = false;
  if (element_.get(out) != simdjson::SUCCESS)
    fail("a boolean");
  return out;
}

std::int64_t value::as_int() const {
  std::int64_t out = 0;
  if (element_.get(out) != simdjson::SUCCESS)
    fail("an integer");
  return out;
}

double value::as_double() const {
  double out = 0;
  if (element_.get(out) != simdjson::SUCCESS)
    fail("a number");
  return out;
}

std::string_view value::as_string_view() const {
  std::string_view out;
  if (element_.get(out) != simdjson::SUCCESS)
    fail("a string");
  return out;
}

std::string value::as_string() const { return std::string(as_string_view()); }

std::vector<value> value::items() const {
  simdjson::dom::array array;
  if (element_.get(array) != simdjson::SUCCESS)
    fail("an array");
  std::vector<value> out;
  out.reserve(array.size());
  for (auto item : array)
    out.emplace_back(item, path_ + "[" + std::to_string(out.size()) + "]",
                     where_);
  return out;
}

std::vector<std::pair<std::string, value>> value::members() const {
  simdjson::dom::object object;
  if (element_.get(object) != simdjson::SUCCESS)
    fail("an object");
  std::vector<std::pair<std::string, value>> out;
  out.reserve(object.size());
  for (auto field : object)
    out.emplace_back(std::string(field.key),
                     value(field.value, child_path(path_, field.key), where_));
  return out;
}

std::size_t value::size() const {
  return is_object() ? members().size() : items().size();
}

std::optional<value> value::find(std::string_view key) const {
  simdjson::dom::object object;
  if (element_.get(object) != simdjson::SUCCESS)
    fail("an object");
  simdjson::dom::element out;
  if (object.at_key(key).get(out) != simdjson::SUCCESS || out.is_null())
    return std::nullopt;
  return value(out, child_path(path_, key), where_);
}

value value::at(std::string_view key) const {
  if (auto found = find(key))
    return *found;
  throw error(error_code::invalid_argument, "required but missing", where_,
              child_path(path_, key));
}

bool value::get_bool(std::string_view key, bool fallback) const {
  const auto found = find(key);
  return found ? found->as_bool() : fallback;
}

std::int64_t value::get_int(std::string_view key, std::int64_t fallback) const {
  const auto found = find(key);
  return found ? found->as_int() : fallback;
}

double value::get_double(std::string_view key, double fallback) const {
  const auto found = find(key);
  return found ? found->as_double() : fallback;
}

std::string value::get_string(std::string_view key,
                              std::string fallback) const {
  const auto found = find(key);
  return found ? found->as_string() : std::move(fallback);
}

std::string value::dump() const { return simdjson::minify(element_); }

document document::parse(std::string_view text, std::string where) {
  document out;
  out.where_ = std::move(where);
  out.parser_ = std::make_unique<simdjson::dom::parser>();
  const auto status =
      out.parser_->parse(text.data(), text.size()).get(out.root_);
  if (status != simdjson::SUCCESS)
    throw error(error_code::corrupt_data,
                std::string("not valid JSON: ") +
                    simdjson::error_message(status),
                out.where_);
  return out;
}

document document::load(const std::string &path) {
  check_file(path);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw error(error_code::not_found, "cannot open file", path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse(text.str(), path);
}

value document::root() const { return value(root_, {}, where_); }

} // namespace ganglion::json

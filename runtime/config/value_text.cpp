#include "runtime/config/value_text.hpp"

#include <charconv>

namespace ganglion::runtime {

namespace {

std::string text_of(const std::string &item) { return item; }
std::string text_of(std::int64_t item) { return std::to_string(item); }

template <class T>
std::string text_of(const std::vector<T> &list) {
  std::string out;
  for (const auto &item : list)
    out += (out.empty() ? "" : ",") + text_of(item);
  return out;
}

struct writer {
  std::string operator()(double v) const {
    char buffer[32]; // the shortest form that reads back as the same number
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, v).ptr;
    return {buffer, end};
  }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  template <class T>
  std::string operator()(const T &v) const {
    return text_of(v);
  }
};

} // namespace

std::string value_text(const option_value &value) {
  return std::visit(writer(), value);
}

std::string shown_text(const option_spec &spec, const option_value &value) {
  auto text = value_text(value);
  if (spec.secret && !text.empty())
    return "***";
  for (const auto &[word, meaning] : spec.synonyms)
    if (spec.kind != option_kind::choice && text == meaning)
      return std::string(word);
  return text;
}

} // namespace ganglion::runtime

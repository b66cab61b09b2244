#include "hlo/composite.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>

namespace ganglion::hlo {

composite_attributes &composite_attributes::set(const std::string &name,
                                                std::int64_t v) {
  values_[name] = std::to_string(v);
  return *this;
}

composite_attributes &composite_attributes::set(const std::string &name,
                                                double v) {
  char digits[32];
  std::string text(digits, std::to_chars(digits, std::end(digits), v).ptr);
  // A number without a point would be an integer.
  if (text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  values_[name] = text;
  return *this;
}

composite_attributes &composite_attributes::set(const std::string &name,
                                                const std::string &v) {
  require(v.find_first_of("\"\\") == std::string::npos,
          "a composite's attribute holds a quote");
  values_[name] = '"' + v + '"';
  return *this;
}

const std::string &composite_attributes::at(const std::string &name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw error(error_code::invalid_argument, "attribute is missing",
                "composite", name);
  return found->second;
}

namespace {

template <class T>
T parsed(const std::string &text, const std::string &name) {
  T out{};
  const auto end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, out);
  if (result.ec != std::errc() || result.ptr != end)
    throw error(error_code::invalid_argument,
                "attribute is not a number: " + text, "composite", name);
  return out;
}

/// Where the next comma outside quotes is, or the end.
std::size_t end_of_item(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    quoted = quoted != (text[i] == '"');
    if (text[i] == ',' && !quoted)
      return i;
  }
  return text.size();
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return {};
  return std::string(
      text.substr(first, text.find_last_not_of(' ') - first + 1));
}

} // namespace

std::int64_t composite_attributes::integer(const std::string &name) const {
  return parsed<std::int64_t>(at(name), name);
}

double composite_attributes::real(const std::string &name) const {
  return parsed<double>(at(name), name);
}

std::string composite_attributes::text(const std::string &name) const {
  const std::string &quoted = at(name);
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"')
    throw error(error_code::invalid_argument,
                "attribute is not a quoted text: " + quoted, "composite", name);
  return quoted.substr(1, quoted.size() - 2);
}

std::string composite_attributes::print() const {
  std::string out = "{";
  for (const auto &[name, v] : values_) {
    if (out.size() > 1)
      out += ", ";
    out += name + " = " + v;
  }
  return out + "}";
}

composite_attributes composite_attributes::parse(const std::string &text) {
  composite_attributes out;
  if (text.size() < 2 || text.front() != '{' || text.back() != '}')
    throw error(error_code::corrupt_data, "expected {name = value, ...}",
                "composite.attributes");
  std::string_view rest(text.data() + 1, text.size() - 2);
  while (!rest.empty()) {
    const auto comma = end_of_item(rest);
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos)
      throw error(error_code::corrupt_data, "expected name = value",
                  "composite.attributes");
    out.values_[trimmed(item.substr(0, equals))] =
        trimmed(item.substr(equals + 1));
  }
  return out;
}

value composite(builder &b, const std::string &name,
                const composite_attributes &attributes_,
                std::span<const value> operands, const composite_body &body) {
  std::string key = name + attributes_.print();
  for (const value v : operands)
    key += to_string(v->form);
  computation *&shared = b.owner().composite_bodies[key];
  if (!shared) {
    builder inner(b.owner(), name);
    std::vector<value> parameters;
    for (const value v : operands)
      parameters.push_back(
          inner.parameter(static_cast<std::int64_t>(parameters.size()), v->form,
                          "p" + std::to_string(parameters.size())));
    shared = inner.build(body(inner, parameters));
  }
  attributes a;
  a.called = {shared};
  a.is_composite = true;
  a.frontend["composite.name"] = "ganglion." + name;
  a.frontend["composite.attributes"] = attributes_.print();
  a.frontend["composite.version"] = "1";
  return b.append(opcode::call, {operands.begin(), operands.end()},
                  std::move(a));
}

const std::string &composite_name(const instruction &call) {
  return call.attrs.frontend.at("composite.name");
}

composite_attributes composite_attributes_of(const instruction &call) {
  return composite_attributes::parse(
      call.attrs.frontend.at("composite.attributes"));
}

} // namespace ganglion::hlo

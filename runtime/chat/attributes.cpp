#include "runtime/chat/attributes.hpp"

#include "runtime/chat/methods.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>
#include <charconv>

namespace ganglion::runtime::chat {

namespace {

std::string object_name(const value &v) {
  if (v.is_none())
    return "None";
  if (v.is_object() && v.as_object().type_name() == "Namespace")
    return "jinja2.utils.Namespace object";
  return type_name(v) + " object";
}

value no_member(const value &v, std::string_view name) {
  return rendering::missing("'" + object_name(v) + "' has no attribute '" +
                            std::string(name) + "'");
}

// A method or an object's own member.
std::optional<value> attribute(rendering &run, const value &v,
                               std::string_view name) {
  if (v.is_object())
    if (auto found = v.as_object().member(run, name))
      return found;
  switch (find_method(v, name)) {
  case method_status::offered:
    return run.own<method_object>(v, name);
  case method_status::unsafe:
    return rendering::missing("access to attribute '" + std::string(name) +
                                  "' of '" + type_name(v) +
                                  "' object is unsafe.",
                              true);
  case method_status::not_offered:
    run.fail(failure::unsupported,
             "the method '" + std::string(name) + "' of text is not supported");
  case method_status::none:
    break;
  }
  return std::nullopt;
}

std::optional<value> entry(rendering &run, const value &v, const value &key) {
  run.step(v.as_dict().entries.size() / 8 + 1);
  if (key.is_string()) {
    const auto *found = v.find(key.as_string());
    return found ? std::optional(*found) : std::nullopt;
  }
  if (key.is_sequence(sequence_kind::list) || key.is_dict())
    return std::nullopt;
  for (const auto &[name, item] : v.as_dict().entries)
    if (equal(run, name, key))
      return item;
  return std::nullopt;
}

bool is_indexed(const value &v) {
  return v.is_string() ||
         (v.is_sequence() && v.as_sequence().kind <= sequence_kind::range);
}

std::optional<value> indexed(rendering &run, const value &v,
                             std::int64_t index) {
  const auto size = length_of(run, v);
  if (index < 0)
    index += size;
  if (index < 0 || index >= size)
    return std::nullopt;
  const auto place = static_cast<std::size_t>(index);
  if (!v.is_string())
    return v.items()[place];
  run.step(v.as_string().size() / 4);
  return run.text(std::string(characters(v.as_string())[place]));
}

struct bounds {
  std::int64_t from, to, step;
};

// Python's rule for slices of `size` items.
bounds bounds_of(rendering &run, std::int64_t size, const value *from,
                 const value *to, const value *step) {
  const auto number = [&](const value *v, std::int64_t fallback) {
    if (!v || v->is_none())
      return fallback;
    require_defined(run, *v);
    if (!is_whole(*v))
      run.fail(failure::type, "slice indices must be integers or None or have "
                              "an __index__ method");
    return as_whole(*v);
  };
  bounds out{0, 0, number(step, 1)};
  if (out.step == 0)
    run.fail(failure::value, "slice step cannot be zero");
  const std::int64_t low = out.step < 0 ? -1 : 0,
                     high = out.step < 0 ? size - 1 : size;
  const auto place = [&](const value *v, std::int64_t fallback) {
    if (!v || v->is_none())
      return fallback;
    const auto i = number(v, 0);
    return std::clamp(i < 0 ? i + size : i, low, high);
  };
  out.from = place(from, out.step < 0 ? high : low);
  out.to = place(to, out.step < 0 ? low : high);
  return out;
}

} // namespace

value member_of(rendering &run, const value &v, std::string_view name) {
  require_defined(run, v);
  if (auto found = attribute(run, v, name))
    return *found;
  if (v.is_dict())
    if (auto found = entry(run, v, value(name)))
      return *found;
  return no_member(v, name);
}

value element_of(rendering &run, const value &v, const value &key) {
  require_defined(run, v);
  std::optional<value> found;
  if (v.is_dict())
    found = entry(run, v, key);
  else if (is_indexed(v) && is_whole(key))
    found = indexed(run, v, as_whole(key));
  if (!found && key.is_string())
    found = attribute(run, v, key.as_string());
  if (found)
    return *found;
  if (key.is_string())
    return no_member(v, key.as_string());
  return rendering::missing(object_name(v) + " has no element " +
                            to_repr(run, key));
}

value slice_of(rendering &run, const value &v, const value *from,
               const value *to, const value *step) {
  require_defined(run, v);
  if (!is_indexed(v))
    return rendering::missing(object_name(v) + " has no element slice");
  const auto all = items_of(run, v);
  const auto size = static_cast<std::int64_t>(all.size());
  const auto range = bounds_of(run, size, from, to, step);
  std::vector<value> out;
  for (auto i = range.from; range.step < 0 ? i > range.to : i < range.to;) {
    out.push_back(all[static_cast<std::size_t>(i)]);
    if (__builtin_add_overflow(i, range.step, &i))
      break;
  }
  if (!v.is_string())
    return run.list(std::move(out), v.as_sequence().kind);
  std::string text;
  for (const auto &c : out)
    text += c.as_string();
  return run.text(std::move(text));
}

value by_path(rendering &run, const value &v, const value &path,
              const value &fallback) {
  value out = v;
  if (!path.is_string()) {
    out = element_of(run, out, path);
    return out.is_undefined() && !fallback.is_undefined() ? fallback : out;
  }
  std::string_view rest = path.as_string();
  for (;;) {
    run.step();
    const auto dot = std::min(rest.find('.'), rest.size());
    const auto part = rest.substr(0, dot);
    std::int64_t number = 0;
    const auto end = part.data() + part.size();
    const bool is_number = !part.empty() && part[0] != '-' &&
                           std::from_chars(part.data(), end, number).ptr == end;
    out = element_of(run, out, is_number ? value(number) : value(part));
    if (out.is_undefined() && !fallback.is_undefined())
      out = fallback;
    if (dot == rest.size())
      return out;
    rest.remove_prefix(dot + 1);
  }
}

} // namespace ganglion::runtime::chat

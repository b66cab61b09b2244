// Filters that apply a test or another filter to each item.
#include "runtime/chat/attributes.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/tests.hpp"
#include "runtime/chat/value_text.hpp"

namespace ganglion::runtime::chat {

namespace {

value generator(rendering &run, std::vector<value> items) {
  run.reserve(items.size() * sizeof(value));
  return run.own<generator_object>(std::move(items));
}

// `given` without its first `count` arguments, the last of which is a name.
arguments after(const arguments &given, std::size_t count) {
  arguments out = given;
  out.positional.erase(out.positional.begin(),
                       out.positional.begin() +
                           static_cast<std::ptrdiff_t>(count));
  return out;
}

const std::string &name_in(rendering &run, const value &v) {
  if (!v.is_string())
    run.fail(failure::type,
             "a filter or test is named by text, not by " + type_name(v));
  return v.as_string();
}

template <bool Keep, bool ByMember>
value select(rendering &run, const value &v, const arguments &given) {
  constexpr std::size_t own = ByMember ? 1 : 0;
  if (given.positional.size() < own)
    run.fail(failure::type, "Missing parameter for attribute name");
  const test_entry *test = nullptr;
  arguments rest;
  if (given.positional.size() > own) {
    test = &require_test(name_in(run, given.positional[own]), run.line);
    rest = after(given, own + 1);
  }
  std::vector<value> out;
  for (const auto &item : items_of(run, v)) {
    run.step();
    const auto subject =
        ByMember ? by_path(run, item, given.positional[0], undefined{}) : item;
    if ((test ? test->holds(run, subject, rest) : is_true(subject)) == Keep)
      out.push_back(item);
  }
  return generator(run, std::move(out));
}

// map(attribute="a.b", default=...)
value map_members(rendering &run, const value &v, const arguments &given) {
  value path, fallback = undefined{};
  for (const auto &[name, item] : given.named)
    if (name == "attribute")
      path = item;
    else if (name == "default")
      fallback = item;
    else
      run.fail(failure::type, "Unexpected keyword argument '" + name + "'");
  std::vector<value> out;
  for (const auto &item : items_of(run, v))
    out.push_back(by_path(run, item, path, fallback));
  return generator(run, std::move(out));
}

value map(rendering &run, const value &v, const arguments &given) {
  if (given.positional.empty()) {
    if (given.named.empty())
      run.fail(failure::type, "map requires a filter argument");
    return map_members(run, v, given);
  }
  const auto &filter =
      require_filter(name_in(run, given.positional[0]), run.line);
  const auto rest = after(given, 1);
  const rendering::level level(run);
  std::vector<value> out;
  for (const auto &item : items_of(run, v)) {
    run.step();
    out.push_back(filter.apply(run, item, rest));
  }
  return generator(run, std::move(out));
}

value attr(rendering &run, const value &v, const arguments &given) {
  if (given.positional.size() != 1 || !given.named.empty())
    run.fail(failure::type, "attr() takes one name");
  return member_of(run, v, name_in(run, given.positional[0]));
}

constexpr filter_entry all[] = {
    {"attr", attr},
    {"map", map},
    {"reject", select<false, false>},
    {"rejectattr", select<false, true>},
    {"select", select<true, false>},
    {"selectattr", select<true, true>},
};

} // namespace

std::span<const filter_entry> selecting_filters() { return all; }

} // namespace ganglion::runtime::chat

#include "runtime/chat/methods.hpp"

#include "runtime/chat/binding.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

template <std::size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::count(names, name) > 0;
}

constexpr std::string_view list_methods[] = {"count", "index"};
constexpr std::string_view list_changes[] = {
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"};
constexpr std::string_view dict_methods[] = {"copy", "get", "items", "keys",
                                             "values"};
constexpr std::string_view dict_changes[] = {"clear", "pop", "popitem",
                                             "setdefault", "update"};
constexpr std::string_view other_text[] = {
    "encode",      "expandtabs", "format_map", "isidentifier",
    "isprintable", "istitle",    "maketrans",  "translate"};

value dict_get(rendering &run, const value &all, const arguments &given) {
  const binding args(run, "get", given, {"key", "default"});
  for (const auto &[key, item] : all.as_dict().entries)
    if (equal(run, key, args.required(0)))
      return item;
  return args.get(1, {});
}

value dict_parts(rendering &run, const value &all, std::string_view name) {
  std::vector<value> out;
  for (const auto &[key, item] : all.as_dict().entries)
    out.push_back(name == "keys" ? key
                  : name == "values"
                      ? item
                      : run.list({key, item}, sequence_kind::tuple));
  return run.list(std::move(out), name == "keys"     ? sequence_kind::keys
                                  : name == "values" ? sequence_kind::values
                                                     : sequence_kind::items);
}

value call_dict(rendering &run, const value &all, std::string_view name,
                const arguments &given) {
  if (name == "get")
    return dict_get(run, all, given);
  const binding none(run, name, given, {});
  return name == "copy" ? all : dict_parts(run, all, name);
}

value call_list(rendering &run, const value &all, std::string_view name,
                const arguments &given) {
  const binding args(run, name, given, {"value"});
  const auto &wanted = args.required(0);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.items().size(); ++i)
    if (equal(run, all.items()[i], wanted)) {
      if (name == "index")
        return i;
      ++count;
    }
  if (name == "index")
    run.fail(failure::value, to_repr(run, wanted) + " is not in list");
  return count;
}

bool is_list(const value &v) {
  return v.is_sequence(sequence_kind::list) ||
         v.is_sequence(sequence_kind::tuple);
}

} // namespace

method_status find_method(const value &receiver, std::string_view name) {
  if (name.starts_with("__") && name.ends_with("__"))
    return method_status::unsafe;
  if (receiver.is_string()) {
    if (find_string_method(name))
      return method_status::offered;
    return is_one_of(other_text, name) ? method_status::not_offered
                                       : method_status::none;
  }
  if (is_list(receiver)) {
    if (is_one_of(list_methods, name))
      return method_status::offered;
    return receiver.is_sequence(sequence_kind::list) &&
                   is_one_of(list_changes, name)
               ? method_status::unsafe
               : method_status::none;
  }
  if (receiver.is_dict() && is_one_of(dict_methods, name))
    return method_status::offered;
  return receiver.is_dict() && is_one_of(dict_changes, name)
             ? method_status::unsafe
             : method_status::none;
}

std::optional<value> call_method(rendering &run, const value &receiver,
                                 std::string_view name,
                                 const arguments &given) {
  if (find_method(receiver, name) != method_status::offered)
    return std::nullopt;
  if (receiver.is_string()) {
    run.scan(receiver.as_string().size());
    return find_string_method(name)(run, receiver.as_string(), given);
  }
  return receiver.is_dict() ? call_dict(run, receiver, name, given)
                            : call_list(run, receiver, name, given);
}

} // namespace ganglion::runtime::chat

#include "runtime/chat/operators.hpp"

#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

// Holds every std::int64_t exactly.
long double exact(const value &v) {
  return v.is_real() ? static_cast<long double>(v.as_real())
                     : static_cast<long double>(as_whole(v));
}

bool equal_items(rendering &run, const std::vector<value> &a,
                 const std::vector<value> &b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(run, a[i], b[i]))
      return false;
  return true;
}

bool equal_dicts(rendering &run, const dictionary &a, const dictionary &b) {
  if (a.entries.size() != b.entries.size())
    return false;
  return std::ranges::all_of(a.entries, [&](const auto &entry) {
    return std::ranges::any_of(b.entries, [&](const auto &other) {
      return equal(run, entry.first, other.first) &&
             equal(run, entry.second, other.second);
    });
  });
}

bool same_sequences(const value &a, const value &b) {
  return a.is_sequence() && b.is_sequence() &&
         a.as_sequence().kind == b.as_sequence().kind;
}

bool less_items(rendering &run, const std::vector<value> &a,
                const std::vector<value> &b, std::string_view symbol) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (!equal(run, a[i], b[i]))
      return less(run, a[i], b[i], symbol);
  return a.size() < b.size();
}

} // namespace

bool is_whole(const value &v) { return v.is_bool() || v.is_integer(); }

std::int64_t as_whole(const value &v) {
  return v.is_bool() ? std::int64_t{v.as_bool()} : v.as_integer();
}

double as_double(const value &v) {
  return v.is_real() ? v.as_real() : static_cast<double>(as_whole(v));
}

bool is_true(const value &v) {
  if (v.is_none() || v.is_undefined())
    return false;
  if (v.is_number())
    return as_double(v) != 0;
  if (v.is_string())
    return !v.as_string().empty();
  if (v.is_sequence())
    return !v.items().empty();
  return !v.is_dict() || !v.as_dict().entries.empty();
}

void require_defined(rendering &run, const value &v) {
  if (!v.is_undefined())
    return;
  const auto &missing = v.as_undefined();
  run.fail(missing.unsafe ? failure::security : failure::undefined,
           missing.message ? *missing.message : "a value is undefined");
}

bool equal(rendering &run, const value &a, const value &b) {
  run.step();
  const rendering::level level(run);
  if (a.is_number() && b.is_number())
    return exact(a) == exact(b);
  if (a.is_string() && b.is_string()) {
    run.scan(a.as_string().size());
    return a.as_string() == b.as_string();
  }
  if (same_sequences(a, b))
    return equal_items(run, a.items(), b.items());
  if (a.is_dict() && b.is_dict())
    return equal_dicts(run, a.as_dict(), b.as_dict());
  if (a.is_object() && b.is_object())
    return &a.as_object() == &b.as_object();
  return (a.is_none() && b.is_none()) || (a.is_undefined() && b.is_undefined());
}

bool less(rendering &run, const value &a, const value &b,
          std::string_view symbol) {
  run.step();
  const rendering::level level(run);
  require_defined(run, a);
  require_defined(run, b);
  if (a.is_number() && b.is_number())
    return exact(a) < exact(b);
  if (a.is_string() && b.is_string()) {
    run.scan(a.as_string().size());
    return a.as_string() < b.as_string(); // code points keep their order
  }
  if (same_sequences(a, b))
    return less_items(run, a.items(), b.items(), symbol);
  run.fail(failure::type, "'" + std::string(symbol) +
                              "' not supported between instances of '" +
                              type_name(a) + "' and '" + type_name(b) + "'");
}

bool contains(rendering &run, const value &all, const value &item) {
  if (all.is_string()) {
    if (!item.is_string()) {
      require_defined(run, item);
      run.fail(failure::type,
               "'in <string>' requires string as left operand, not " +
                   type_name(item));
    }
    run.scan(all.as_string().size());
    return find_text(all.as_string(), item.as_string()) != std::string::npos;
  }
  if (all.is_dict())
    return std::ranges::any_of(all.as_dict().entries, [&](const auto &entry) {
      return equal(run, entry.first, item);
    });
  if (!all.is_sequence() && !all.is_undefined() &&
      !(all.is_object() && all.as_object().remaining()))
    run.fail(failure::type,
             "argument of type '" + type_name(all) + "' is not iterable");
  return std::ranges::any_of(items_of(run, all), [&](const value &one) {
    return equal(run, one, item);
  });
}

bool compare(rendering &run, const value &a, std::string_view symbol,
             const value &b) {
  if (symbol == "==")
    return equal(run, a, b);
  if (symbol == "!=")
    return !equal(run, a, b);
  if (symbol == "in")
    return contains(run, b, a);
  if (symbol == "not in")
    return !contains(run, b, a);
  if (a.is_number() && b.is_number()) {
    const auto x = exact(a), y = exact(b);
    return symbol == "<"    ? x < y
           : symbol == "<=" ? x <= y
           : symbol == ">"  ? x > y
                            : x >= y;
  }
  if (symbol == "<")
    return less(run, a, b, symbol);
  if (symbol == ">")
    return less(run, a, b, symbol), less(run, b, a, symbol);
  if (symbol == "<=")
    return less(run, a, b, symbol) || equal(run, a, b);
  return less(run, a, b, symbol), !less(run, a, b, symbol);
}

std::vector<value> items_of(rendering &run, const value &v) {
  std::vector<value> out;
  if (v.is_undefined())
    return out;
  if (v.is_string()) {
    run.step(v.as_string().size());
    run.reserve(v.as_string().size() * (sizeof(value) + sizeof(std::string)));
    for (const auto c : characters(v.as_string()))
      out.emplace_back(c);
  } else if (v.is_sequence()) {
    run.reserve(v.items().size() * sizeof(value));
    run.step(v.items().size() / 8);
    out = v.items();
  } else if (v.is_dict()) {
    run.reserve(v.as_dict().entries.size() * sizeof(value));
    for (const auto &entry : v.as_dict().entries)
      out.push_back(entry.first);
  } else if (v.is_object() && v.as_object().remaining()) {
    out.swap(*v.as_object().remaining());
  } else {
    run.fail(failure::type, "'" + type_name(v) + "' object is not iterable");
  }
  return out;
}

std::int64_t length_of(rendering &run, const value &v) {
  std::size_t out = 0;
  if (v.is_string()) {
    run.scan(v.as_string().size());
    out = count_characters(v.as_string());
  } else if (v.is_sequence()) {
    out = v.items().size();
  } else if (v.is_dict()) {
    out = v.as_dict().entries.size();
  } else if (!v.is_undefined()) {
    run.fail(failure::type,
             "object of type '" + type_name(v) + "' has no len()");
  }
  return static_cast<std::int64_t>(out);
}

} // namespace ganglion::runtime::chat

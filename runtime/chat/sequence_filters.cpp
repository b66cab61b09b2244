// Filters on lists and dictionaries as wholes.
#include "runtime/chat/attributes.hpp"
#include "runtime/chat/binding.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime::chat {

namespace {

value generator(rendering &run, std::vector<value> items) {
  run.reserve(items.size() * sizeof(value));
  return run.own<generator_object>(std::move(items));
}

value part(rendering &run, const value &item, const value &path) {
  return path.is_none() ? item : by_path(run, item, path, undefined{});
}

// What items are ordered by: text without its case unless that matters.
value sort_key(rendering &run, const value &item, const value &path,
               bool case_sensitive) {
  auto out = part(run, item, path);
  if (!case_sensitive && out.is_string()) {
    run.step(out.as_string().size());
    return run.text(lower(out.as_string()));
  }
  return out;
}

using keyed = std::vector<std::pair<value, value>>;

keyed with_keys(rendering &run, const std::vector<value> &items,
                const value &path, bool case_sensitive) {
  keyed out;
  for (const auto &item : items)
    out.emplace_back(sort_key(run, item, path, case_sensitive), item);
  return out;
}

void sort_by_key(rendering &run, keyed &all, bool reverse) {
  std::ranges::stable_sort(all, [&](const auto &a, const auto &b) {
    return reverse ? less(run, b.first, a.first) : less(run, a.first, b.first);
  });
}

std::vector<value> items_in(const keyed &all) {
  std::vector<value> out;
  for (const auto &entry : all)
    out.push_back(entry.second);
  return out;
}

value sort(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "sort", given,
                     {"reverse", "case_sensitive", "attribute"});
  auto all =
      with_keys(run, items_of(run, v), args.get(2, {}), args.flag(1, false));
  sort_by_key(run, all, args.flag(0, false));
  return run.list(items_in(all));
}

value dict_sort(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "dictsort", given,
                     {"case_sensitive", "by", "reverse"});
  const auto by = args.text(1, "key");
  if (by != "key" && by != "value")
    run.fail(failure::value, "You can only sort by either \"key\" or "
                             "\"value\"");
  require_defined(run, v);
  if (!v.is_dict())
    run.fail(failure::type, "'" + type_name(v) + "' object has no items");
  std::vector<value> entries;
  for (const auto &[key, item] : v.as_dict().entries)
    entries.push_back(run.list({key, item}, sequence_kind::tuple));
  auto all = with_keys(run, entries, by == "key" ? 0 : 1, args.flag(0, false));
  sort_by_key(run, all, args.flag(2, false));
  return run.list(items_in(all));
}

value group_by(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "groupby", given,
                     {"attribute", "default", "case_sensitive"});
  const auto path = args.required(0);
  const bool case_sensitive = args.flag(2, false);
  keyed all;
  for (const auto &item : items_of(run, v)) {
    auto key = by_path(run, item, path, args.get(1, undefined{}));
    if (!case_sensitive && key.is_string())
      key = run.text(lower(key.as_string()));
    all.emplace_back(key, item);
  }
  sort_by_key(run, all, false);
  std::vector<value> out;
  for (std::size_t i = 0; i < all.size();) {
    std::vector<value> group;
    const auto first = i;
    for (; i < all.size() && equal(run, all[i].first, all[first].first); ++i)
      group.push_back(all[i].second);
    auto title = by_path(run, group[0], path, args.get(1, undefined{}));
    out.push_back(
        run.list({title, run.list(std::move(group))}, sequence_kind::tuple));
    i = std::max(i, first + 1); // a NaN equals nothing
  }
  return run.list(std::move(out));
}

value unique(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "unique", given, {"case_sensitive", "attribute"});
  keyed kept;
  for (const auto &item : items_of(run, v)) {
    const auto key = sort_key(run, item, args.get(1, {}), args.flag(0, false));
    if (std::ranges::none_of(
            kept, [&](const auto &k) { return equal(run, k.first, key); }))
      kept.emplace_back(key, item);
  }
  return generator(run, items_in(kept));
}

template <bool Max>
value extreme(rendering &run, const value &v, const arguments &given) {
  const binding args(run, Max ? "max" : "min", given,
                     {"case_sensitive", "attribute"});
  const auto all =
      with_keys(run, items_of(run, v), args.get(1, {}), args.flag(0, false));
  if (all.empty())
    return rendering::missing("No aggregated item, sequence was empty.");
  auto best = all.begin();
  for (auto i = all.begin() + 1; i != all.end(); ++i)
    if (Max ? less(run, best->first, i->first)
            : less(run, i->first, best->first))
      best = i;
  return best->second;
}

value first(rendering &run, const value &v, const arguments &) {
  const auto all = items_of(run, v);
  return all.empty() ? rendering::missing("No first item, sequence was empty.")
                     : all.front();
}

value last(rendering &run, const value &v, const arguments &) {
  const auto all = items_of(run, v);
  return all.empty() ? rendering::missing("No last item, sequence was empty.")
                     : all.back();
}

value sum(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "sum", given, {"attribute", "start"});
  value out = args.get(1, 0);
  for (const auto &item : items_of(run, v))
    out = arithmetic(run, out, "+", part(run, item, args.get(0, {})));
  return out;
}

value join(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "join", given, {"d", "attribute"});
  const auto between = to_text(run, args.get(0, ""));
  std::string out;
  bool is_first = true;
  for (const auto &item : items_of(run, v)) {
    if (!is_first)
      run.emit(out, between);
    is_first = false;
    run.emit(out, to_text(run, part(run, item, args.get(1, {}))));
  }
  return run.text(std::move(out));
}

value reverse(rendering &run, const value &v, const arguments &) {
  auto all = items_of(run, v);
  std::ranges::reverse(all);
  if (!v.is_string())
    return generator(run, std::move(all));
  std::string out;
  for (const auto &c : all)
    out += c.as_string();
  return run.text(std::move(out));
}

value to_list(rendering &run, const value &v, const arguments &) {
  return run.list(items_of(run, v));
}

value items(rendering &run, const value &v, const arguments &) {
  if (v.is_undefined())
    return generator(run, {});
  if (!v.is_dict())
    run.fail(failure::type, "Can only get item pairs from a mapping.");
  std::vector<value> out;
  for (const auto &[key, item] : v.as_dict().entries)
    out.push_back(run.list({key, item}, sequence_kind::tuple));
  return generator(run, std::move(out));
}

value batch(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "batch", given, {"linecount", "fill_with"});
  args.required(0);
  const auto size = std::max<std::int64_t>(args.whole(0, 1), 1);
  const auto count = static_cast<std::size_t>(size);
  std::vector<value> out, part;
  for (const auto &item : items_of(run, v)) {
    if (part.size() == count)
      out.push_back(run.list(std::exchange(part, {})));
    part.push_back(item);
  }
  const auto fill = args.get(1, {});
  if (!part.empty() && !fill.is_none()) {
    run.reserve((count - part.size()) * sizeof(value));
    part.resize(count, fill);
  }
  if (!part.empty())
    out.push_back(run.list(std::move(part)));
  return generator(run, std::move(out));
}

constexpr filter_entry all[] = {
    {"batch", batch},       {"dictsort", dict_sort},
    {"first", first},       {"groupby", group_by},
    {"items", items},       {"join", join},
    {"last", last},         {"list", to_list},
    {"max", extreme<true>}, {"min", extreme<false>},
    {"reverse", reverse},   {"sort", sort},
    {"sum", sum},           {"unique", unique},
};

} // namespace

std::span<const filter_entry> sequence_filters() { return all; }

} // namespace ganglion::runtime::chat

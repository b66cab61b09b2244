#include "runtime/config/option_table.hpp"

#include <algorithm>
#include <numeric>

namespace ganglion::runtime {

namespace {

std::string underscored(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

bool answers_to(const option_spec &spec, const std::string &name) {
  return spec.name == name ||
         std::ranges::find(spec.aliases, name) != spec.aliases.end();
}

/// Insertions, removals and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({diagonal + (a[i] != b[j]), above + 1, row[j] + 1});
      diagonal = above;
    }
  }
  return row.back();
}

} // namespace

const option_spec *find_option(const option_table &table,
                               std::string_view name) {
  const auto wanted = underscored(name);
  for (const auto &spec : table)
    if (answers_to(spec, wanted))
      return &spec;
  return nullptr;
}

std::string nearest_option(const option_table &table, std::string_view name) {
  // Hostile keys may be long; the table's names are not.
  const auto wanted = underscored(name.substr(0, 64));
  // Two letters swapped are two edits; much more is another word.
  std::size_t best = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  std::string out;
  const auto consider = [&](std::string_view candidate) {
    const auto longer = std::max(candidate.size(), wanted.size());
    const auto shorter = std::min(candidate.size(), wanted.size());
    if (longer - shorter >= best) // each missing letter is an edit
      return;
    if (const auto d = edit_distance(wanted, candidate); d < best) {
      best = d;
      out = candidate;
    }
  };
  for (const auto &spec : table) {
    consider(spec.name);
    for (const auto alias : spec.aliases)
      consider(alias);
  }
  return out;
}

} // namespace ganglion::runtime

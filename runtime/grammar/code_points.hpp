// Sets of characters, as classes of regular expressions and grammars write
// them.
#pragma once

#include <vector>

namespace ganglion::runtime::grammar {

struct code_point_range {
  char32_t first = 0, last = 0; ///< both included
  auto operator<=>(const code_point_range &) const = default;
};

/// Sorted ranges that do not touch; surrogates are in none.
class code_points {
public:
  code_points() = default;
  code_points(char32_t first, char32_t last) { add(first, last); }

  static code_points all() { return {0, 0x10FFFF}; }
  void add(char32_t first, char32_t last);
  void add(const code_points &other);
  code_points complement() const;
  code_points minus(const code_points &other) const;

  const std::vector<code_point_range> &ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  bool contains(char32_t c) const;
  auto operator<=>(const code_points &) const = default;

private:
  void insert(char32_t first, char32_t last);

  std::vector<code_point_range> ranges_;
};

} // namespace ganglion::runtime::grammar

// A value while a module is interpreted: arrays are shared and never change,
// so that tuples, calls and loops copy pointers only.
#pragma once

#include "hlo/literal.hpp"

#include <memory>
#include <vector>

namespace ganglion::hlo {

struct shared_value {
  /// Null for a tuple.
  std::shared_ptr<const literal> array;
  std::vector<shared_value> elements;

  /// A value that refers to `l`, which must stay.
  static shared_value borrow(const literal &l);
  /// A value that owns `l` (an array).
  static shared_value own(literal l) {
    return {std::make_shared<const literal>(std::move(l)), {}};
  }
  static shared_value tuple(std::vector<shared_value> parts) {
    return {nullptr, std::move(parts)};
  }

  shape form() const;
  /// Same type and dimensions as `s`, through tuples.
  bool has_shape(const shape &s) const;
  /// A literal of its own.
  literal copy() const;
};

} // namespace ganglion::hlo

#include "hlo/composites/columns.hpp"

#include <array>

namespace ganglion::hlo {

value take_columns(builder &b, value x, std::int64_t first,
                   std::int64_t count) {
  composite_attributes a;
  a.set("first", first).set("count", count);
  return composite(b, "take_columns", a, std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.slice_in_dim(p[0], 1, first, first + count);
                   });
}

} // namespace ganglion::hlo
